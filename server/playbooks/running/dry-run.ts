/** Shows what a run would do: everything that is checked before a run is checked, templates are filled, nothing is run. */
import type { DryRun } from '../../../src/contract/http/playbooks/playbook-dry-run.ts';
import { playbookActionName } from '../../../src/contract/specs/playbook-spec.ts';
import type { PlaybookAction } from '../../../src/contract/specs/playbook-spec.ts';
import { secretNames, withoutSecrets } from '../../../src/domain/playbook/secret-parameters.ts';
import { noteLiterals } from '../../connections/note-literals.ts';
import { createRedactor } from '../../platform/crypto/redact.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { openAction } from './action-registry.ts';
import { renderContextOf } from './render-context.ts';
import { createRunScope } from './run-scope.ts';
import { secretValues } from './secrets/run-secrets.ts';
import { checkRun } from './start-run.ts';
import type { CheckedRun, RunRequest, StartDeps } from './start-run.ts';

type Rendered = Pick<DryRun['actions'][number], 'rendered' | 'error'>;

async function rendered(action: PlaybookAction, checked: CheckedRun, deps: StartDeps): Promise<Rendered> {
  const { spec, parameters, variables } = checked;
  const redactor = createRedactor();
  noteLiterals([action, spec.env ?? []], redactor);
  for (const value of Object.values(secretValues(spec, parameters))) redactor.note(value);
  const scope = (env: Record<string, string>) =>
    createRunScope({ expressions: deps.expressions, mark: deps.secret(12) }, { ...variables, env }, []);
  try {
    const opened = await openAction(action, await renderContextOf({ action, spec, parameters, scope }, null));
    return { rendered: redactor.value({ ...opened.shown }), error: null };
  } catch (error) {
    return { rendered: null, error: redactor.text(reasonOf(error)) };
  }
}

/** Throws what the run would be refused for. */
export async function dryRun(request: RunRequest, deps: StartDeps): Promise<DryRun> {
  const checked = await checkRun(request, deps);
  const { spec, parameters } = checked;
  const actions: DryRun['actions'] = [];
  for (const action of spec.actions)
    actions.push({
      name: action.name,
      kind: playbookActionName(action) ?? '',
      if: action.if ?? null,
      delay: action.delay ?? null,
      timeout: action.timeout ?? null,
      runs_on: (action.runsOn ?? spec.runsOn ?? []).map(String),
      ...(await rendered(action, checked, deps)),
    });
  const shown = withoutSecrets(parameters, secretNames(spec.parameters ?? []));
  return { parameters: shown, actions, needs_approval: spec.approval !== undefined };
}
