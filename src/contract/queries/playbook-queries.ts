/** Queries about playbooks and their runs (contract §7, §12). */
import { z } from 'zod';
import { isActionOver, isRunOver } from '../../domain/playbook/run.ts';
import {
  foundResourcesSchema,
  parametersAnswerSchema,
  playbookResourceSchema,
  RESOURCE_KINDS,
  runDetailSchema,
  runnablePlaybooksSchema,
  stepDetailSchema,
} from '../http/playbooks/playbooks.ts';
import { playbookApprovalSchema } from '../http/playbooks/playbook-approval.ts';
import { idOf } from '../ids.ts';
import { cachedQuery } from './query-definition.ts';

/** Spec 1 §4: so often while it goes on. */
const RUN_POLL_MS = 2000;
const STEP_POLL_MS = 1000;

const selector = z.record(z.string(), z.unknown());

export const PLAYBOOK_QUERIES = {
  /** The playbooks that may run on a thing. */
  'resource-playbooks': cachedQuery({
    args: playbookResourceSchema,
    result: runnablePlaybooksSchema,
    cacheKey: ({ kind, id }) => `${kind}_playbooks:${id}`,
    dependsOn: () => ['playbooks', 'actions'],
  }),
  /** A run with its steps. */
  'playbook-run': cachedQuery({
    args: z.object({ runId: idOf('run') }),
    result: runDetailSchema,
    cacheKey: ({ runId }) => `playbook_run:${runId}`,
    dependsOn: () => ['playbook_runs', 'actions'],
    pollMs: ({ run }) => (isRunOver(run.status) ? null : RUN_POLL_MS),
  }),
  /** Who is to approve a run, and who has (our server only); null for a run that needs nobody's word. */
  'playbook-approval': cachedQuery({
    args: z.object({ runId: idOf('run') }),
    result: playbookApprovalSchema.nullable(),
    cacheKey: ({ runId }) => `playbook_approval:${runId}`,
    dependsOn: () => ['playbook_runs', 'actions'],
  }),
  /** A step with what it wrote. */
  'playbook-step': cachedQuery({
    args: z.object({ stepId: idOf('step') }),
    result: stepDetailSchema,
    cacheKey: ({ stepId }) => `playbook_step:${stepId}`,
    pollMs: ({ status }) => (isActionOver(status) ? null : STEP_POLL_MS),
  }),
  /** The parameters with their defaults filled in from the thing. Defaults may be secret: they aren't kept. */
  'playbook-parameters': cachedQuery({
    args: z.object({ playbookId: idOf('playbook'), resource: playbookResourceSchema.nullable() }),
    result: parametersAnswerSchema,
  }),
  /** The JSON schema that a code parameter names, read by the server, which alone calls other hosts. */
  'parameter-schema': cachedQuery({
    args: z.object({ playbookId: idOf('playbook'), parameter: z.string() }),
    result: z.record(z.string(), z.unknown()),
    cacheKey: ({ playbookId, parameter }) => `parameter_schema:${playbookId}:${parameter}`,
    dependsOn: () => ['playbooks'],
  }),
  /** Things that a playbook or one of its parameters may be about, by name. */
  'find-resources': cachedQuery({
    args: z.object({ kind: z.enum(RESOURCE_KINDS), selectors: z.array(selector), search: z.string() }),
    result: foundResourcesSchema,
  }),
};
