/** Playbooks (schema §7.4). Unknown fields are errors: a mistyped condition would run what it was to hold back. */
import { z } from 'zod';
import { selector, secretValue, text, textMap, texts } from './spec-parts.ts';

const word = z.string().optional();
const list = texts.optional();
const open = z.looseObject({});
const named = z.array(z.looseObject({ name: z.string() })).optional();

const PARAMETER_TYPES = [
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

const parameter = z.strictObject({
  name: z.string(),
  label: word,
  description: word,
  required: z.boolean().optional(),
  icon: word,
  default: text.optional(),
  type: z.enum(PARAMETER_TYPES).optional(),
  properties: open.optional(),
  dependsOn: list,
});

const artifacts = z.array(z.strictObject({ path: z.string() })).optional();
const signIn = { username: secretValue.optional(), password: secretValue.optional() };

const ACTIONS = {
  exec: z.strictObject({
    script: z.string(),
    env: named,
    connections: open.optional(),
    checkout: open.optional(),
    artifacts,
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
    maxLength: z.int().optional(),
    timeout: z.int().optional(),
    artifacts,
  }),
  gitops: z.strictObject({
    repo: open,
    commit: z.looseObject({ author: word, email: word, message: word }),
    pr: z.looseObject({ title: word, tags: list }).optional(),
    patches: z.array(z.strictObject({ path: z.string(), yq: word, jq: word })).optional(),
    files: z.array(z.strictObject({ path: z.string(), content: z.string() })).optional(),
  }),
  github: z.strictObject({
    repo: z.string(),
    username: z.string(),
    token: secretValue.optional(),
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

type ActionName = keyof typeof ACTIONS;

const actionFields = Object.fromEntries(
  Object.entries(ACTIONS).map(([name, shape]) => [name, shape.optional()]),
) as { [Name in ActionName]: z.ZodOptional<(typeof ACTIONS)[Name]> };

const action = z.strictObject({
  name: z.string().min(1),
  delay: word,
  timeout: word,
  if: word,
  runsOn: list,
  templatesOn: word,
  ...actionFields,
});

const events = z
  .array(z.strictObject({ event: z.string(), labels: textMap.optional(), filter: word }))
  .optional();

/** A playbook's whole specification. */
export const playbookSpecSchema = z.strictObject({
  title: word,
  description: word,
  category: word,
  icon: word,
  on: z
    .strictObject({
      canary: events,
      config: events,
      component: events,
      webhook: z.strictObject({ path: z.string(), authentication: open.optional() }).optional(),
    })
    .optional(),
  runsOn: list,
  templatesOn: word,
  env: named,
  permissions: z.array(z.strictObject({ role: word, team: word, ref: word })).optional(),
  configs: z.array(selector).optional(),
  checks: z.array(selector).optional(),
  components: z.array(selector).optional(),
  parameters: z.array(parameter).optional(),
  actions: z.array(action).min(1),
  filters: list,
  approval: z
    .strictObject({
      type: z.enum(['any', 'all']).optional(),
      approvers: z.strictObject({ people: list, teams: list }),
    })
    .optional(),
});
