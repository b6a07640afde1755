/** JSON schemas of the specifications that people write, for the editors (contract §15). */
import { z } from 'zod';
import { ASKED_OF_CHECKS, ASKED_IN_SCRAPER_FORMS } from '../../../src/contract/specs/asked-fields.ts';
import { incidentRuleSpecSchema } from '../../../src/contract/specs/incident-rule-spec.ts';
import {
  LOG_BACKEND_KINDS,
  LOG_BACKENDS,
  logBackendSpecSchema,
} from '../../../src/contract/specs/log-backend-spec.ts';
import { playbookSpecSchema } from '../../../src/contract/specs/playbook-spec.ts';
import { SCRAPER_KINDS, scraperSpecSchema } from '../../../src/contract/specs/scraper-spec.ts';
import { teamSpecSchema } from '../../../src/contract/specs/team-spec.ts';
import { topologySpecSchema } from '../../../src/contract/specs/topology-spec.ts';
import {
  LOG_BACKEND_EXAMPLES,
  RULE_EXAMPLE,
  TEAM_EXAMPLE,
  TOPOLOGY_EXAMPLE,
} from '../../../src/domain/settings/document-examples.ts';
import { SCRAPER_EXAMPLES } from '../../../src/domain/settings/scraper-examples.ts';
import { RUNNABLE_KEYS, kindOf } from '../../health/kinds/all-kinds.ts';
import { STORED_KINDS } from '../../health/kinds/stored-kinds.ts';

const SCRAPER_FILES = `kubernetes azure kubernetesFile sql trivy aws file githubActions azureDevops`.split(
  ' ',
);

/** What a schedule looks like; whether its numbers are right is for the server to say. */
const scheduleText = z
  .string()
  .regex(
    /^\s*(?:(?:@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|never)|@every\s+\S+|\S+(?:\s+\S+){4})\s*)?$/,
  )
  .describe('Five cron fields, @every 30s, @hourly or @never')
  .optional();

/** Checks of every kind: those that run here to the field, the others as they come. */
function canarySpecSchema(): z.ZodType {
  const runnable = RUNNABLE_KEYS.map((key) => {
    const kind = kindOf(key);
    const facts = kind === undefined ? {} : { title: kind.title, examples: [kind.example] };
    const entry = (kind?.schema ?? z.unknown()).meta(facts);
    return [key, kind?.isSingle === true ? entry.optional() : z.array(entry).optional()];
  });
  // Taken as they are written, and offered by no form: they do not run here.
  const stored = Object.entries(STORED_KINDS).map(([kind, { reason }]) => {
    const entry = z.looseObject({ name: z.unknown().optional() });
    return [kind, z.array(entry).optional().meta({ deprecated: true, description: reason })];
  });
  return z
    .strictObject({
      schedule: scheduleText,
      interval: z.int().min(0).optional().describe('Seconds; schedule counts more'),
      replicas: z.int().min(0).nullish().describe('0 pauses all checks'),
      env: z.unknown().optional().describe('Values by name, for checks of kind http and exec'),
      icon: z.string().optional(),
      severity: z.string().optional(),
      owner: z.string().optional(),
      ...(Object.fromEntries([...runnable, ...stored]) as Record<string, z.ZodType>),
    })
    .meta({ asks: ASKED_OF_CHECKS });
}

/** The kinds that have a form are told with their title and an example. */
function scraperSpec(): z.ZodType {
  const kinds = Object.entries(SCRAPER_KINDS).map(([key, entry]): [string, z.ZodType] => {
    const facts = SCRAPER_EXAMPLES[key];
    const told = facts === undefined ? entry : entry.meta({ title: facts.title, examples: [facts.example] });
    return [key, z.array(told).optional()];
  });
  return scraperSpecSchema
    .extend({ ...Object.fromEntries(kinds), schedule: scheduleText })
    .meta({ asks: ASKED_IN_SCRAPER_FORMS });
}

const RULE_NEEDS = { of: ['components', 'checks', 'configs'], isOnlyOne: false };

/** A place where logs are kept is an entry of its kind; a document has one. */
function logBackendSpec(): z.ZodType {
  const kinds = Object.entries(LOG_BACKENDS).map(([key, kind]): [string, z.ZodType] => {
    const facts = LOG_BACKEND_EXAMPLES[key];
    return [
      key,
      (facts === undefined ? kind : kind.meta({ title: facts.title, examples: [facts.example] })).optional(),
    ];
  });
  return z
    .strictObject({ routes: logBackendSpecSchema.shape.routes, ...Object.fromEntries(kinds) })
    .meta({ examples: [{ routes: [] }], needs: { of: LOG_BACKEND_KINDS, isOnlyOne: true } });
}

/** What stands before a preprocess step may be anything; where text is meant, scalars are. */
function nameScalars({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  const { def } = zodSchema._zod;
  if (def.type !== 'pipe' || def.in._zod.def.type !== 'transform' || def.out._zod.def.type !== 'string')
    return;
  jsonSchema.anyOf = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }];
}

/** Examples are documents as they are written, which zod leaves out where reading changes the value. */
function keepExamples({ zodSchema, jsonSchema }: Parameters<typeof nameScalars>[0]) {
  const examples = z.globalRegistry.get(zodSchema)?.['examples'];
  if (Array.isArray(examples)) jsonSchema.examples = examples;
}

function write(name: string, schema: z.ZodType): string {
  const written = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    reused: 'ref',
    override(part) {
      nameScalars(part);
      keepExamples(part);
    },
  });
  return JSON.stringify({ ...written, title: name });
}

/** Names of the contract, each with what makes it. */
const SOURCES: ReadonlyMap<string, () => z.ZodType> = new Map<string, () => z.ZodType>([
  ['team.spec', () => teamSpecSchema.meta({ examples: [TEAM_EXAMPLE] })],
  ['canary.spec', canarySpecSchema],
  [
    'topology.spec',
    () => topologySpecSchema.extend({ schedule: scheduleText }).meta({ examples: [TOPOLOGY_EXAMPLE] }),
  ],
  ['config_scraper.spec', scraperSpec],
  ['scrape_config.spec', scraperSpec],
  ['playbook-spec', () => playbookSpecSchema],
  ['incident_rule.spec', () => incidentRuleSpecSchema.meta({ examples: [RULE_EXAMPLE], needs: RULE_NEEDS })],
  ['logging_backend.spec', logBackendSpec],
  ...Object.entries(SCRAPER_KINDS)
    .filter(([kind]) => SCRAPER_FILES.includes(kind))
    .map(([kind, schema]): [string, () => z.ZodType] => [`config_${kind.toLowerCase()}`, () => schema]),
]);

const written = new Map<string, string>();

/** The file's text; null for a file that isn't. Each is made once. */
export function schemaFile(file: string): string | null {
  const name = /^([\w.-]+)\.schema\.json$/.exec(file)?.[1];
  const source = name === undefined ? undefined : SOURCES.get(name);
  if (name === undefined || source === undefined) return null;
  const text = written.get(name) ?? write(name, source());
  written.set(name, text);
  return text;
}
