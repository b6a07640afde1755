/** Playbooks, their runs and what is asked of them, as the server says them (contract §7, §19.6, schema §7.4). */
import { z } from 'zod';
import type { CollectionName } from '../../collections.ts';

const text = z.string();
const maybeText = z.string().nullish();
const record = z.record(z.string(), z.unknown());
const person = z.looseObject({ id: text, name: maybeText, avatar: maybeText });
const thing = z.looseObject({ id: text, name: maybeText, icon: maybeText, type: maybeText });

/** What is asked for before a run. A type that this version doesn't know is a text (contract §19.6). */
export const playbookParameterSchema = z.looseObject({
  name: text,
  label: maybeText,
  description: maybeText,
  required: z.boolean().nullish(),
  icon: maybeText,
  type: maybeText,
  default: z.unknown().optional(),
  properties: record.nullish(),
});
export type PlaybookParameter = z.output<typeof playbookParameterSchema>;

/** As much of a specification as screens read; the rest stays as it is. */
export const playbookSpecViewSchema = z.looseObject({
  description: maybeText,
  parameters: z.array(playbookParameterSchema).nullish(),
  configs: z.array(record).nullish(),
  components: z.array(record).nullish(),
  checks: z.array(record).nullish(),
  dangerous: z.boolean().nullish(),
});

/** A playbook as a whole. */
export const playbookRowSchema = z.looseObject({
  id: text,
  name: maybeText,
  title: maybeText,
  icon: maybeText,
  description: maybeText,
  category: maybeText,
  source: maybeText,
  spec: record.nullish(),
  created_at: maybeText,
  updated_at: maybeText,
  created_by: z.union([person, text]).nullish(),
});
export type PlaybookRow = z.output<typeof playbookRowSchema>;

const runFields = {
  id: text,
  playbook_id: text,
  status: maybeText,
  created_at: maybeText,
  start_time: maybeText,
  scheduled_time: maybeText,
  end_time: maybeText,
  error: maybeText,
  created_by: z.union([person, text]).nullish(),
  agent_id: maybeText,
  component: thing.nullish(),
  config: thing.nullish(),
  check: thing.nullish(),
};

/** A row of the list of runs. */
export const runListRowSchema = z.looseObject({
  ...runFields,
  playbooks: z.looseObject({ id: text, name: maybeText, title: maybeText, icon: maybeText }).nullish(),
});
export type RunListRow = z.output<typeof runListRowSchema>;

const CREATOR = 'created_by(id,name,avatar)';
const ABOUT =
  'component:components(id,name,icon),check:checks(id,name,icon),config:config_items(id,name,type,config_class)';
const follows = (name: CollectionName): readonly CollectionName[] => [name];

/** Runs as a list shows them. */
const runsOf = (table: string) => ({
  source: {
    table,
    select: `id,playbook_id,status,created_at,start_time,scheduled_time,end_time,error,playbooks(id,name,title,icon),${ABOUT},${CREATOR}`,
  },
  row: runListRowSchema,
  isKept: true,
  follows: follows('playbook_runs'),
});

/** What screens read of playbooks page by page. Literals that sign in are stars: what is here may be kept. */
export const PLAYBOOK_VIEWS = {
  playbook: {
    source: { table: 'playbooks', select: `*,${CREATOR}`, isSoft: true },
    row: playbookRowSchema,
    isKept: true,
    follows: follows('playbooks'),
  },
  playbook_runs: runsOf('playbook_runs'),
  /** The same, to be ordered by `duration_ms` (our server only). */
  playbook_runs_timed: runsOf('playbook_runs_timed'),
  /** What choosing all of them needs. */
  playbook_run_choice: {
    source: { table: 'playbook_runs', select: 'id,playbooks(id,name,title)' },
    row: z.looseObject({ id: text, playbooks: runListRowSchema.shape.playbooks }),
    isKept: false,
    follows: [],
  },
};

const stepSchema = z.looseObject({
  id: text,
  name: maybeText,
  status: maybeText,
  start_time: maybeText,
  end_time: maybeText,
  scheduled_time: maybeText,
  agent_id: maybeText,
});

/** A run with its steps, without what they wrote. */
export const runDetailSchema = z.object({
  run: z.looseObject({
    ...runFields,
    component_id: maybeText,
    config_id: maybeText,
    check_id: maybeText,
    spec: record.nullish(),
    parameters: record.nullish(),
    request: z.unknown().optional(),
    playbooks: playbookRowSchema.nullish(),
  }),
  steps: z.array(stepSchema),
});
export type RunDetail = z.output<typeof runDetailSchema>;

export const artifactRowSchema = z.looseObject({
  id: text,
  filename: text,
  content_type: maybeText,
  size: z.coerce.number().nullish(),
});

/** A step with what it wrote and the files that it left. */
export const stepDetailSchema = z.looseObject({
  ...stepSchema.shape,
  error: maybeText,
  result: z.unknown().optional(),
  artifacts: z.array(artifactRowSchema).nullish(),
});
export type StepDetail = z.output<typeof stepDetailSchema>;

export const RESOURCE_KINDS = ['config', 'component', 'check'] as const;
export type PlaybookResourceKind = (typeof RESOURCE_KINDS)[number];

/** The one thing that a run is about. */
export const playbookResourceSchema = z.object({ kind: z.enum(RESOURCE_KINDS), id: text });
export type PlaybookResource = z.output<typeof playbookResourceSchema>;

/** What a run is started with. */
export const runRequestSchema = z.object({
  playbookId: text,
  resource: playbookResourceSchema.nullable(),
  params: z.record(z.string(), text),
  /** The agent that it is asked for; this server, unless given. */
  agentId: text.optional(),
  /** What was typed to confirm a dangerous one. */
  confirm: text.optional(),
});
export type RunRequest = z.output<typeof runRequestSchema>;

export const startedRunSchema = z.looseObject({ run_id: text, starts_at: maybeText });
export type StartedRun = z.output<typeof startedRunSchema>;

export const parametersAnswerSchema = z
  .object({ params: z.array(playbookParameterSchema).nullish() })
  .transform(({ params }) => params ?? []);

/** A row of `GET /playbook/list`. */
export const runnablePlaybooksSchema = z
  .array(z.looseObject({ id: text, name: maybeText, parameters: z.array(z.unknown()).nullish() }))
  .nullish()
  .transform((value) =>
    (value ?? []).map(({ id, name, parameters }) => ({
      id,
      name: name ?? id,
      parameters: parameters?.length ?? 0,
    })),
  );

/** What `POST /resources/search` found, of one kind. */
export const foundResourcesSchema = z.array(
  z.looseObject({
    id: text,
    name: text,
    icon: maybeText,
    type: maybeText,
    tags: z.record(z.string(), z.unknown()).nullish(),
  }),
);
