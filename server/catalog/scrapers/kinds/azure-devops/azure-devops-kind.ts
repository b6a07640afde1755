/**
 * Scrapes Azure DevOps (schema §5.2 azureDevops): projects and their pipelines as items, runs of pipelines that
 * ended as changes. The health of a pipeline is that of its last run that says anything.
 */
import { SCRAPER_KINDS } from '../../../../../src/contract/specs/scraper-spec.ts';
import { humanWords, numberOf, objectAt, textOf, timeOf } from '../../health/health.ts';
import type { Health, Json } from '../../health/health.ts';
import type { RawDocument, ScrapeContext, ScrapedChange, ScraperKind } from '../../specs/scraped.ts';
import { inParallel } from '../services/in-parallel.ts';
import { isNamedBy, namedList } from '../services/named-list.ts';
import { change, jsonDocument, output } from '../services/scraped-parts.ts';
import { openDevops } from './devops-calls.ts';
import type { Devops } from './devops-calls.ts';
import { lookupTable } from '../../../../../src/lib/lookup-table.ts';

const spec = SCRAPER_KINDS.azureDevops;
const DAY_MS = 86_400_000;
const FIRST_MS = 7 * DAY_MS;
/** Runs that were going at the last scrape have ended since. */
const OVERLAP_MS = 3 * DAY_MS;
const AT_ONCE = 4;
const PROJECT = 'AzureDevops::Project';
const PIPELINE = 'AzureDevops::Pipeline';

const RESULTS = lookupTable<{ health: Health['health']; severity: string }>({
  succeeded: { health: 'healthy', severity: 'info' },
  partiallySucceeded: { health: 'warning', severity: 'medium' },
  failed: { health: 'unhealthy', severity: 'high' },
  canceled: { health: 'unknown', severity: 'low' },
});

const projectId = (devops: Devops, project: Json): string =>
  `${devops.organization}/${textOf(project['id'])}`;
const pipelineId = (devops: Devops, project: Json, id: number): string =>
  `${projectId(devops, project)}/${id}`;

function projectItem(devops: Devops, project: Json): RawDocument {
  const { lastUpdateTime: _moving, ...kept } = project;
  const state = textOf(project['state']);
  const isWell = state === 'wellFormed';
  return jsonDocument(kept, textOf(project['url']), {
    externalIds: [projectId(devops, project)],
    type: PROJECT,
    configClass: 'Project',
    name: textOf(project['name']),
    description: textOf(project['description']) || null,
    health: isWell ? 'healthy' : 'unknown',
    status: isWell ? 'Active' : humanWords(state),
    tags: { organization: devops.organization },
  });
}

function healthOfRuns(runs: readonly Json[]): Health {
  const latest = runs.toSorted((a, b) => textOf(b['queueTime']).localeCompare(textOf(a['queueTime'])));
  const isRunning = latest[0] !== undefined && latest[0]['status'] !== 'completed';
  const telling = latest.find((run) => (RESULTS[textOf(run['result'])]?.health ?? 'unknown') !== 'unknown');
  const result = textOf(telling?.['result']);
  return {
    health: RESULTS[result]?.health ?? 'unknown',
    status: isRunning ? 'Running' : humanWords(result),
    ready: !isRunning,
    message: '',
  };
}

function pipelineItem(
  devops: Devops,
  project: Json,
  pipeline: { document: Json; runs: readonly Json[] },
): RawDocument {
  const { document, runs } = pipeline;
  const { health, status, ready } = healthOfRuns(runs);
  const link = textOf(objectAt(document, '_links', 'web')['href']);
  return jsonDocument(document, link, {
    externalIds: [pipelineId(devops, project, numberOf(document['id']))],
    type: PIPELINE,
    configClass: 'Deployment',
    name: textOf(document['name']),
    health,
    status: status === '' ? null : status,
    ready,
    tags: { organization: devops.organization, project: textOf(project['name']) },
    parents: [{ type: PROJECT, externalId: projectId(devops, project) }],
    properties: link === '' ? [] : [{ name: 'URL', links: [{ text: 'Azure DevOps', url: link }] }],
  });
}

function runChange(devops: Devops, project: Json, run: Json): ScrapedChange {
  const result = textOf(run['result']);
  const by = objectAt(run, 'requestedFor');
  const number = textOf(run['buildNumber']);
  const branch = textOf(run['sourceBranch']).replace(/^refs\/heads\//, '');
  const fields = [
    'id',
    'buildNumber',
    'status',
    'result',
    'reason',
    'sourceBranch',
    'sourceVersion',
    'startTime',
  ];
  const facts = Object.fromEntries([...fields, 'finishTime'].map((name) => [name, run[name]]));
  const externalId = pipelineId(devops, project, numberOf(objectAt(run, 'definition')['id']));
  return change({
    about: { type: PIPELINE, externalId },
    externalChangeId: `${devops.organization}/${numberOf(run['id'])}`,
    changeType: 'PipelineRun',
    severity: RESULTS[result]?.severity ?? 'info',
    source: 'Azure DevOps',
    summary: `${number}${branch === '' ? '' : ` on ${branch}`}: ${humanWords(result).toLowerCase()}`,
    details: facts,
    createdBy: textOf(by['uniqueName']) || textOf(by['displayName']) || null,
    createdAt: timeOf(run['finishTime']) ?? timeOf(run['queueTime']),
  });
}

async function scrapeProject(devops: Devops, project: Json, wanted: { names: string[]; since: Date }) {
  const path = `/${encodeURIComponent(textOf(project['name']))}/_apis`;
  const list = namedList(wanted.names);
  const all = await devops.list('pipelines', `${path}/pipelines`);
  const pipelines = all.filter((entry) => list === null || isNamedBy(list, textOf(entry['name'])));
  const ids = pipelines.map((entry) => numberOf(entry['id']));
  if (ids.length === 0) return { documents: [], changes: [] };
  const minTime = wanted.since.toISOString();
  const found = await devops.list('runs', `${path}/build/builds`, {
    minTime,
    queryOrder: 'queueTimeDescending',
  });
  const runs = found.filter((run) => ids.includes(numberOf(objectAt(run, 'definition')['id'])));
  // Those without a run lately: what their last one said still holds.
  const quiet = ids.filter((id) => !runs.some((run) => objectAt(run, 'definition')['id'] === id));
  const last =
    quiet.length === 0
      ? []
      : await devops.list('last runs', `${path}/build/builds`, {
          definitions: quiet.join(','),
          maxBuildsPerDefinition: '1',
          statusFilter: 'completed',
        });
  const documents = pipelines.map((document) => {
    const own = [...runs, ...last].filter((run) => objectAt(run, 'definition')['id'] === document['id']);
    return pipelineItem(devops, project, { document, runs: own });
  });
  const ended = runs.filter((run) => run['status'] === 'completed');
  return { documents, changes: ended.map((run) => runChange(devops, project, run)) };
}

async function scrapeAll(
  devops: Devops,
  given: { projects: string[]; pipelines: string[] },
  context: ScrapeContext,
) {
  const list = namedList(given.projects);
  const all = await devops.list(`Projects of ${devops.organization}`, '/_apis/projects', {
    stateFilter: 'all',
  });
  const projects = all.filter((entry) => list === null || isNamedBy(list, textOf(entry['name'])));
  const now = context.now().getTime();
  const since = new Date(context.lastRun === null ? now - FIRST_MS : context.lastRun.getTime() - OVERLAP_MS);
  const parts = projects.map((project) => ({
    name: textOf(project['name']),
    run: () => scrapeProject(devops, project, { names: given.pipelines, since }),
  }));
  const { results, errors } = await inParallel(parts, { atOnce: AT_ONCE, signal: context.signal });
  return output({
    documents: [
      ...projects.map((project) => projectItem(devops, project)),
      ...results.flatMap(({ documents }) => documents),
    ],
    changes: results.flatMap(({ changes }) => changes),
    errors,
    isComplete: errors.length === 0,
  });
}

export const azureDevopsKind: ScraperKind = {
  kind: 'azureDevops',
  scrape: async (entry, context) => {
    const given = spec.parse(entry);
    const devops = await openDevops(given, context);
    const wanted = { projects: given.projects.map(String), pipelines: given.pipelines.map(String) };
    return scrapeAll(devops, wanted, context);
  },
};
