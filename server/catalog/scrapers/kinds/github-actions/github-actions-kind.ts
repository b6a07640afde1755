/**
 * Scrapes the workflows of a repository as items and their runs as changes (schema §5.2 githubActions). Runs that
 * are still going are not told: a change is stored once, and these would stay unfinished.
 */
import type { Octokit } from '@octokit/rest';
import { SCRAPER_KINDS } from '../../../../../src/contract/specs/scraper-spec.ts';
import { timeOf } from '../../health/health.ts';
import type { RawDocument, ScrapeContext, ScrapedChange, ScraperKind } from '../../specs/scraped.ts';
import { isNamedBy, namedList } from '../services/named-list.ts';
import { inParallel } from '../services/in-parallel.ts';
import { jsonDocument, output } from '../services/scraped-parts.ts';
import { openGithub, told } from './github-client.ts';
import { hasFailed, runChange, workflowHealth } from './workflow-runs.ts';
import type { RunJob, WorkflowRun } from './workflow-runs.ts';
import { groupBy } from '../../../../../src/lib/group-by.ts';

const spec = SCRAPER_KINDS.githubActions;
const DAY_MS = 86_400_000;
/** What is read at the first scrape, and how far a later one looks behind the last for runs that ended since. */
const FIRST_MS = 7 * DAY_MS;
const OVERLAP_MS = 3 * DAY_MS;
const PAGE_SIZE = 100;
const MAX_PAGES = 10;
/** Jobs are read for this many failed runs of a scrape: one call each. */
const MAX_JOB_CALLS = 20;
const AT_ONCE = 4;
const TYPE = 'GitHubActions::Workflow';

interface Workflow {
  id: number;
  name: string;
  path: string;
  state: string;
  created_at: string;
  html_url: string;
}
interface Repository {
  github: Octokit;
  owner: string;
  repo: string;
  branch: string | null;
}

/** Pages until one is not full. */
async function allPages<Item>(
  read: (page: number) => Promise<Item[]>,
): Promise<{ items: Item[]; isAll: boolean }> {
  const items: Item[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const found = await read(page);
    items.push(...found);
    if (found.length < PAGE_SIZE) return { items, isAll: true };
  }
  return { items, isAll: false };
}

function readWorkflows({ github, owner, repo }: Repository) {
  return told(`Workflows of ${owner}/${repo}`, () =>
    allPages(async (page): Promise<Workflow[]> => {
      const answer = await github.actions.listRepoWorkflows({ owner, repo, per_page: PAGE_SIZE, page });
      return answer.data.workflows;
    }),
  );
}

function readRuns({ github, owner, repo, branch }: Repository, since: Date) {
  const created = `>=${since.toISOString().slice(0, 10)}`;
  return told(`Runs of ${owner}/${repo}`, () =>
    allPages(async (page): Promise<WorkflowRun[]> => {
      const narrowed = branch === null ? {} : { branch };
      const query = { owner, repo, per_page: PAGE_SIZE, page, created, ...narrowed };
      return (await github.actions.listWorkflowRunsForRepo(query)).data.workflow_runs;
    }),
  );
}

/** The latest run of a workflow that had none lately: its health is still that. */
async function lastRunOf(
  { github, owner, repo, branch }: Repository,
  workflow: Workflow,
): Promise<WorkflowRun[]> {
  const narrowed = branch === null ? {} : { branch };
  const query = {
    owner,
    repo,
    workflow_id: workflow.id,
    per_page: 1,
    status: 'completed' as const,
    ...narrowed,
  };
  return (await told(workflow.name, () => github.actions.listWorkflowRuns(query))).data.workflow_runs;
}

async function jobsOf({ github, owner, repo }: Repository, run: WorkflowRun): Promise<RunJob[]> {
  const query = { owner, repo, run_id: run.id, per_page: PAGE_SIZE };
  const what = `Jobs of run #${run.run_number}`;
  return (await told(what, () => github.actions.listJobsForWorkflowRun(query))).data.jobs;
}

const externalIdOf = ({ owner, repo }: Repository, id: number): string => `github/${owner}/${repo}/${id}`;

function workflowItem(repository: Repository, workflow: Workflow, runs: readonly WorkflowRun[]): RawDocument {
  const { owner, repo } = repository;
  const { health, status, ready, message } = workflowHealth(workflow.state, runs);
  return jsonDocument(workflow, workflow.html_url, {
    externalIds: [externalIdOf(repository, workflow.id), `${owner}/${repo}/${workflow.path}`],
    type: TYPE,
    configClass: 'Deployment',
    name: workflow.name,
    health,
    status: status === '' ? null : status,
    ready,
    description: message === '' ? null : message,
    tags: { owner, repository: repo },
    properties: [{ name: 'URL', links: [{ text: 'GitHub', url: workflow.html_url }] }],
    createdAt: timeOf(workflow.created_at),
  });
}

async function changesOf(repository: Repository, runs: readonly WorkflowRun[], context: ScrapeContext) {
  const ended = runs.filter((run) => run.status === 'completed');
  const failed = new Set(ended.filter(hasFailed).slice(0, MAX_JOB_CALLS));
  const parts = ended.map((run) => ({
    name: `Run #${run.run_number}`,
    run: async (): Promise<ScrapedChange> => {
      const jobs = failed.has(run) ? await jobsOf(repository, run) : null;
      return runChange(run, jobs, { type: TYPE, externalId: externalIdOf(repository, run.workflow_id) });
    },
  }));
  return inParallel(parts, { atOnce: AT_ONCE, signal: context.signal });
}

async function scrapeRepository(repository: Repository, names: readonly string[], context: ScrapeContext) {
  const found = await readWorkflows(repository);
  const wanted = namedList(names);
  const workflows = found.items.filter(
    ({ name, path, id }) =>
      wanted === null ||
      [name, path, path.split('/').pop() ?? '', String(id)].some((own) => isNamedBy(wanted, own)),
  );
  const now = context.now().getTime();
  const since = context.lastRun === null ? now - FIRST_MS : context.lastRun.getTime() - OVERLAP_MS;
  const ids = new Set(workflows.map(({ id }) => id));
  const runs = await readRuns(repository, new Date(since));
  const own = groupBy(
    runs.items.filter((run) => ids.has(run.workflow_id)),
    (run) => run.workflow_id,
  );
  const parts = workflows.map((workflow) => ({
    name: workflow.name,
    run: async (): Promise<RawDocument> => {
      const recent = own.get(workflow.id) ?? (await lastRunOf(repository, workflow));
      return workflowItem(repository, workflow, recent);
    },
  }));
  const items = await inParallel(parts, { atOnce: AT_ONCE, signal: context.signal });
  const changes = await changesOf(repository, [...own.values()].flat(), context);
  const cut = runs.isAll
    ? []
    : [`More than ${MAX_PAGES * PAGE_SIZE} runs since the last scrape: the oldest are left out`];
  return output({
    documents: items.results,
    changes: changes.results,
    errors: [...items.errors, ...changes.errors, ...cut],
    isComplete: items.errors.length === 0 && found.isAll,
  });
}

export const githubActionsKind: ScraperKind = {
  kind: 'githubActions',
  scrape: async (entry, context) => {
    const given = spec.parse(entry);
    const branch = typeof given['branch'] === 'string' && given['branch'] !== '' ? given['branch'] : null;
    const github = await openGithub(given, context);
    const repository = { github, owner: String(given.owner), repo: String(given.repository), branch };
    return scrapeRepository(repository, (given.workflows ?? []).map(String), context);
  },
};
