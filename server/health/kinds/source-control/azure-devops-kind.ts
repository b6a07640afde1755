/** azureDevops: how the last run of each pipeline ended, of those that a name, branches and variables choose (schema §4.1). */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { openDevops } from '../../../catalog/scrapers/kinds/azure-devops/devops-calls.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { probe } from '../../kind/probe.ts';
import type { Found, Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, limits, required, text, valueSchema } from '../../kind/spec-fields.ts';
import { scraperParts } from '../cloud/scraper-parts.ts';
import { jsonOrNull } from '../../../../src/lib/json-or-null.ts';

const azureDevopsSchema = z.strictObject({
  ...common,
  /** thresholdMillis is that of a run, not of the question. */
  ...limits,
  connection: z.string().optional(),
  organization: text.optional(),
  personalAccessToken: valueSchema.optional(),
  project: required,
  /** A regular expression that names of pipelines are found with. */
  pipeline: required,
  branch: z.array(text).optional(),
  variables: z.record(z.string(), text).optional(),
});
type AzureDevopsSpec = z.output<typeof azureDevopsSchema>;

/** Their numbers stand in one address. */
const MAX_PIPELINES = 100;
/** Runs of a pipeline that are looked through for a branch or variables. */
const MAX_RUNS = '50';

const pipelinesSchema = z.array(z.looseObject({ id: z.number(), name: z.string() }));
const runSchema = z.looseObject({
  id: z.number(),
  buildNumber: z.string().default(''),
  result: z.string().default(''),
  sourceBranch: z.string().default(''),
  startTime: z.string().optional(),
  finishTime: z.string().optional(),
  definition: z.looseObject({ id: z.number() }),
  /** JSON */
  parameters: z.string().nullish(),
});
type Run = z.output<typeof runSchema>;
const variablesSchema = z.record(z.string(), z.coerce.string());

function variablesOf({ parameters }: Run): Record<string, string> {
  const read = variablesSchema.safeParse(jsonOrNull(parameters));
  // A run whose variables can't be read has none that are asked for.
  return read.success ? read.data : {};
}

const branchOf = ({ sourceBranch }: Run): string => sourceBranch.replace(/^refs\/heads\//, '');

function isMeant(run: Run, { branch = [], variables = {} }: AzureDevopsSpec): boolean {
  const given = variablesOf(run);
  const isOfBranch =
    branch.length === 0 || branch.some((name) => [branchOf(run), run.sourceBranch].includes(name));
  return isOfBranch && Object.entries(variables).every(([name, value]) => given[name] === value);
}

const timeOf = (moment: string | undefined): number => Date.parse(moment ?? '') || 0;

/** What is told of a run. */
function factsOf(pipeline: string, run: Run) {
  return {
    pipeline,
    id: run.id,
    number: run.buildNumber,
    result: run.result,
    branch: branchOf(run),
    variables: variablesOf(run),
    startedAt: run.startTime ?? null,
    finishedAt: run.finishTime ?? null,
    durationMillis: Math.max(0, timeOf(run.finishTime) - timeOf(run.startTime)),
  };
}

function complaint(
  { pipeline, number, result, durationMillis }: ReturnType<typeof factsOf>,
  thresholdMs: number,
): string | null {
  if (result !== 'succeeded') return `${pipeline} ${number}: ${result === '' ? 'has no result' : result}`;
  return thresholdMs > 0 && durationMillis > thresholdMs
    ? `${pipeline} ${number}: took ${durationMillis} ms, allowed are ${thresholdMs} ms`
    : null;
}

async function ask(spec: AzureDevopsSpec, at: Probe): Promise<Found> {
  const { connection, organization, personalAccessToken, project, pipeline } = spec;
  const devops = await openDevops({ connection, organization, personalAccessToken }, scraperParts(at));
  const path = `/${encodeURIComponent(project)}/_apis`;
  const all = pipelinesSchema.parse(await devops.list('pipelines', `${path}/pipelines`));
  const names = await at.matching(
    pipeline,
    all.map(({ name }) => name),
  );
  const meant = all.filter(({ name }) => names.has(name));
  if (meant.length === 0)
    return { data: { results: [] }, error: `no pipeline of ${project} is called ${pipeline}` };
  if (meant.length > MAX_PIPELINES)
    throw new AppError(
      'invalid',
      `pipeline: means ${meant.length} pipelines, at most ${MAX_PIPELINES} can be checked`,
    );
  const listed = await devops.list('runs', `${path}/build/builds`, {
    definitions: meant.map(({ id }) => id).join(','),
    statusFilter: 'completed',
    queryOrder: 'finishTimeDescending',
    maxBuildsPerDefinition: MAX_RUNS,
  });
  const runs = z
    .array(runSchema)
    .parse(listed)
    .filter((run) => isMeant(run, spec))
    .toSorted((a, b) => timeOf(b.finishTime) - timeOf(a.finishTime));
  const last = meant.map(({ id, name }) => ({
    name,
    run: runs.find(({ definition }) => definition.id === id),
  }));
  const results = last.flatMap(({ name, run }) => (run === undefined ? [] : [factsOf(name, run)]));
  const missing = last.flatMap(({ name, run }) =>
    run === undefined ? [`${name}: has no run that ended`] : [],
  );
  const wrong = results.flatMap((facts) => complaint(facts, spec.thresholdMillis ?? 0) ?? []);
  const isJudged = spec.test !== undefined || spec.transform !== undefined;
  const told = [...wrong, ...missing].join('; ');
  return { data: { results }, error: told === '' || isJudged ? null : told };
}

function run(spec: AzureDevopsSpec, context: KindContext): Promise<KindResult> {
  return probe({ timeout: spec.timeout }, context, (at) => ask(spec, at));
}

/** Pipelines whose last run succeeded. */
export const azureDevopsKind = registeredKind({
  key: 'azureDevops',
  type: 'azuredevops',
  title: 'Azure DevOps',
  needs: 'an access token that may read builds',
  testedAgainst: 'stand-in',
  example: {
    name: 'releases',
    organization: 'acme',
    project: 'shop',
    pipeline: '^release-',
    personalAccessToken: { valueFrom: { secretKeyRef: { name: 'azure-devops', key: 'token' } } },
    branch: ['main'],
    thresholdMillis: 600_000,
  },
  schema: azureDevopsSchema,
  run,
});
