/** Playbooks (schema §7.4). Unknown fields are errors: a mistyped condition would run what it was to hold back. */
import { z } from 'zod';
import { leftFiles } from './file-patterns.ts';
import { execConnectionsOf } from './exec-connections.ts';
import { selector, secretValue, text, textMap, texts } from './spec-parts.ts';

const word = z.string().optional();
const list = texts.optional();
const open = z.looseObject({});
const secret = secretValue.optional();
const named = z
  .array(
    z.strictObject({
      name: z.string().min(1),
      value: text.optional(),
      valueFrom: z.looseObject({}).optional(),
    }),
  )
  .optional();

export const PLAYBOOK_PARAMETER_TYPES = [
  'check',
  'checkbox',
  'code',
  'component',
  'config',
  'list',
  'people',
  'team',
  'text',
  'bytes',
  'millicores',
] as const;

/** A parameter that somebody who runs the playbook is asked for. */
export const playbookParameterSchema = z.strictObject({
  name: z.string().min(1),
  label: word,
  description: word,
  required: z.boolean().optional(),
  icon: word,
  default: text.optional(),
  type: z.enum(PLAYBOOK_PARAMETER_TYPES).optional(),
  properties: open.optional(),
  dependsOn: list,
});

const artifacts = z.array(z.strictObject({ path: z.string().min(1) })).optional();
const signIn = { username: secret, password: secret };

/** What an action does, by the key that it stands under; each has exactly one. */
export const PLAYBOOK_ACTIONS = {
  exec: z.strictObject({
    script: z.string().min(1),
    env: named,
    connections: execConnectionsOf(secretValue).optional(),
    checkout: z
      .strictObject({
        url: word,
        connection: word,
        ...signIn,
        certificate: secret,
        branch: word,
        destination: word,
      })
      .optional(),
    artifacts: leftFiles,
  }),
  http: z.strictObject({
    url: word,
    connection: word,
    ...signIn,
    method: word,
    headers: z.union([textMap, named]).optional(),
    body: word,
    templateBody: z.boolean().optional(),
    ntlm: z.boolean().optional(),
    ntlmv2: z.boolean().optional(),
    thresholdMillis: z.int().optional(),
  }),
  sql: z.strictObject({
    connection: word,
    url: word,
    auth: open.optional(),
    driver: z.string(),
    query: z.string(),
  }),
  pod: z.strictObject({
    name: z.string(),
    spec: open,
    maxLength: z.int().positive().optional(),
    /** Minutes. */
    timeout: z.int().positive().optional(),
    artifacts,
    /** An extra of ours: a kubernetes connection; without it, the cluster that this server runs in. */
    connection: word,
    /** An extra of ours; else the one of the kubeconfig's context. */
    namespace: word,
  }),
  gitops: z.strictObject({
    repo: z.strictObject({
      url: word,
      connection: word,
      ...signIn,
      base: word,
      branch: word,
      type: word,
      skipExisting: z.boolean().optional(),
      force: z.boolean().optional(),
    }),
    commit: z.looseObject({ author: word, email: word, message: word }),
    pr: z.looseObject({ title: word, tags: list }).optional(),
    patches: z.array(z.strictObject({ path: z.string(), yq: word, jq: word })).optional(),
    files: z.array(z.strictObject({ path: z.string(), content: z.string() })).optional(),
  }),
  github: z.strictObject({
    repo: z.string(),
    username: z.string(),
    token: secret,
    connection: word,
    workflows: z.array(z.looseObject({ id: z.string(), ref: word, input: word })),
  }),
  azureDevopsPipeline: z.strictObject({
    org: z.string(),
    project: z.string(),
    token: secretValue,
    pipeline: z.looseObject({ id: text, version: text.optional() }),
    parameters: open.optional(),
  }),
  notification: z.strictObject({
    url: word,
    connection: word,
    title: z.string(),
    message: z.string(),
    properties: textMap.optional(),
  }),
};

export type PlaybookActionName = keyof typeof PLAYBOOK_ACTIONS;

const actionFields = Object.fromEntries(
  Object.entries(PLAYBOOK_ACTIONS).map(([name, shape]) => [name, shape.optional()]),
) as { [Name in PlaybookActionName]: z.ZodOptional<(typeof PLAYBOOK_ACTIONS)[Name]> };

const isActionName = (key: string): key is PlaybookActionName => Object.hasOwn(PLAYBOOK_ACTIONS, key);

/** What the action does; null for one that says nothing or too much. */
export function playbookActionName(action: object): PlaybookActionName | null {
  const [name, ...others] = Object.keys(action).filter(isActionName);
  return name === undefined || others.length > 0 ? null : name;
}

const playbookActionSchema = z
  .strictObject({
    name: z.string().min(1),
    delay: word,
    timeout: word,
    if: word,
    runsOn: list,
    templatesOn: word,
    ...actionFields,
  })
  .superRefine((action, context) => {
    if (playbookActionName(action) !== null) return;
    const message = `must do exactly one thing: ${Object.keys(PLAYBOOK_ACTIONS).join(', ')}`;
    context.addIssue({ code: 'custom', message });
  });
export type PlaybookAction = z.output<typeof playbookActionSchema>;

const CHECK_EVENTS = ['passed', 'failed'] as const;
const RESOURCE_EVENTS = [
  'created',
  'updated',
  'changed',
  'deleted',
  'healthy',
  'unhealthy',
  'warning',
  'unknown',
] as const;

const events = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.array(z.strictObject({ event: z.enum(names), labels: textMap.optional(), filter: word })).optional();

const webhookAuthentication = z.strictObject({
  basic: z.strictObject({ username: secretValue, password: secretValue }).optional(),
  github: z.strictObject({ token: secretValue }).optional(),
  svix: z.strictObject({ secret: secretValue, timestampTolerance: word }).optional(),
  jwt: z.strictObject({ secret: secretValue }).optional(),
});

type Named = readonly { name: string }[];

/** Names by which others refer to an entry have to be different. */
const isEachNameOnce = (entries: Named) => new Set(entries.map(({ name }) => name)).size === entries.length;
const ONCE = { error: 'must each have a name of its own' };

/** A playbook's whole specification. */
export const playbookSpecSchema = z.strictObject({
  title: word,
  description: word,
  category: word,
  icon: word,
  /** Whoever runs it by hand is asked to type the name of the resource. */
  dangerous: z.boolean().optional(),
  on: z
    .strictObject({
      canary: events(CHECK_EVENTS),
      config: events(RESOURCE_EVENTS),
      component: events(RESOURCE_EVENTS),
      webhook: z
        .strictObject({ path: z.string().min(1), authentication: webhookAuthentication.optional() })
        .optional(),
      schedule: z
        .array(z.strictObject({ schedule: z.string().min(1), parameters: textMap.optional() }))
        .optional(),
    })
    .optional(),
  runsOn: list,
  templatesOn: word,
  env: named,
  permissions: z.array(z.strictObject({ role: word, team: word, ref: word })).optional(),
  configs: z.array(selector).optional(),
  checks: z.array(selector).optional(),
  components: z.array(selector).optional(),
  parameters: z.array(playbookParameterSchema).refine(isEachNameOnce, ONCE).optional(),
  actions: z.array(playbookActionSchema).min(1).refine(isEachNameOnce, ONCE),
  filters: list,
  approval: z
    .strictObject({
      type: z.enum(['any', 'all']).optional(),
      approvers: z.strictObject({ people: list, teams: list }),
    })
    .optional(),
});

export type PlaybookSpec = z.output<typeof playbookSpecSchema>;
export type PlaybookParameter = z.output<typeof playbookParameterSchema>;
