/**
 * github: repositories as items, with what is open of their security (Dependabot, code scanning, secrets) and their
 * OpenSSF scorecard as findings. `repo` and `topics` take `!` and `*`; the real client over the guarded transport.
 */
import type { Octokit } from '@octokit/rest';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { GithubEntry } from '../../../../../src/contract/specs/scraper-services.ts';
import { matchesList, parseMatchList } from '../../../../../src/domain/match-list.ts';
import { listOf, objectAt, textOf, timeOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { RawDocument, ScrapeContext, ScrapedAnalysis, ScraperKind } from '../../specs/scraped.ts';
import { openGithub, told } from '../github-actions/github-client.ts';
import { inParallel } from '../services/in-parallel.ts';
import { isNamedBy, namedList } from '../services/named-list.ts';
import { jsonDocument, output } from '../services/scraped-parts.ts';
import { openAlerts, scorecard } from './repository-findings.ts';

const MAX_PAGES = 20;
const AT_ONCE = 4;
type Selector = GithubEntry['repositories'][number];

/** Counts and moments that move by themselves are no settings of a repository. */
const KEPT = [
  'full_name',
  'name',
  'description',
  'html_url',
  'homepage',
  'private',
  'visibility',
  'fork',
  'archived',
  'disabled',
  'default_branch',
  'language',
  'topics',
  'license',
  'has_issues',
  'has_wiki',
  'has_pages',
  'has_discussions',
  'allow_merge_commit',
  'allow_squash_merge',
  'allow_rebase_merge',
  'allow_auto_merge',
  'delete_branch_on_merge',
  'web_commit_signoff_required',
  'security_and_analysis',
  'is_template',
  'created_at',
];

async function get(client: Octokit, what: string, path: string): Promise<unknown> {
  const answer = await told(what, () => client.request(`GET ${path}`));
  return answer.data;
}

/** An account's repositories, whether it is a person or an organization. */
async function repositoriesOf(client: Octokit, owner: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let page = 1; ; page += 1) {
    // What is not read is not gone: nothing of the owner counts then.
    if (page > MAX_PAGES)
      throw new AppError(
        'bad_payload',
        `more than ${found.length} repositories; name those that matter one by one`,
      );
    const list = listOf(
      await get(client, owner, `/users/${encodeURIComponent(owner)}/repos?per_page=100&page=${page}`),
    );
    found.push(...list);
    if (list.length < 100) return found;
  }
}

const isPlain = (name: string): boolean => /^[\w.-]+$/.test(name);

async function selected(client: Octokit, { owner, repo, topics }: Selector): Promise<Json[]> {
  if (!isPlain(owner)) throw new AppError('invalid', `repositories: "${owner}" is no owner`);
  if (isPlain(repo) && topics === undefined)
    return [objectAt(await get(client, `${owner}/${repo}`, `/repos/${owner}/${repo}`))];
  const names = parseMatchList(repo);
  const about = namedList(topics);
  const isAbout = (given: unknown) => {
    if (about === null) return true;
    const own = Array.isArray(given) ? given.map(String) : [];
    const refused = (topics ?? []).map(String).filter((topic) => topic.startsWith('!'));
    if (own.some((topic) => refused.includes(`!${topic}`))) return false;
    return own.some((topic) => isNamedBy(about, topic));
  };
  const all = await repositoriesOf(client, owner);
  return all.filter(
    (one) => one['archived'] !== true && matchesList(names, textOf(one['name'])) && isAbout(one['topics']),
  );
}

function stateOf({ archived, disabled }: Json): {
  status: string;
  health: 'healthy' | 'unhealthy' | 'unknown';
} {
  if (disabled === true) return { status: 'Disabled', health: 'unhealthy' };
  return archived === true
    ? { status: 'Archived', health: 'unknown' }
    : { status: 'Active', health: 'healthy' };
}

function documentOf(repository: Json, analyses: readonly ScrapedAnalysis[]): RawDocument {
  const name = textOf(repository['full_name']);
  const owner = name.split('/')[0] ?? '';
  const url = textOf(repository['html_url']);
  const config = Object.fromEntries(
    KEPT.flatMap((key) => (key in repository ? [[key, repository[key]]] : [])),
  );
  const language = textOf(repository['language']);
  return jsonDocument(config, url || name, {
    externalIds: [`github/${name}`, ...(url === '' ? [] : [url])],
    type: 'GitHub::Repository',
    configClass: 'Repository',
    name,
    ...stateOf(repository),
    description: textOf(repository['description']) || null,
    labels: language === '' ? {} : { language },
    tags: { owner },
    createdAt: timeOf(repository['created_at']),
    parents: [{ type: 'GitHub::Organization', externalId: `github/${owner}` }],
    analyses,
  });
}

function organizationOf(organization: Json): RawDocument {
  const login = textOf(organization['login']);
  const kept = [
    'login',
    'name',
    'description',
    'html_url',
    'two_factor_requirement_enabled',
    'default_repository_permission',
    'members_can_create_repositories',
    'created_at',
  ];
  const config = Object.fromEntries(
    kept.flatMap((key) => (key in organization ? [[key, organization[key]]] : [])),
  );
  return jsonDocument(config, textOf(organization['html_url']) || login, {
    externalIds: [`github/${login}`],
    type: 'GitHub::Organization',
    configClass: 'Organization',
    name: login,
    health: 'healthy',
    status: 'Active',
    createdAt: timeOf(organization['created_at']),
  });
}

async function scrape(entry: GithubEntry, context: ScrapeContext) {
  const client = await openGithub(entry, context);
  const limits = { atOnce: AT_ONCE, signal: context.signal };
  const lists = await inParallel(
    entry.repositories.map((selector) => ({
      name: `repositories: ${selector.owner}/${selector.repo}`,
      run: () => selected(client, selector),
    })),
    limits,
  );
  const found = new Map(
    lists.results.flat().map((repository) => [textOf(repository['full_name']), repository]),
  );
  const warnings: string[] = [];
  const read = async (repository: Json): Promise<RawDocument> => {
    const name = textOf(repository['full_name']);
    const alerts = entry.security === true ? await openAlerts(client, name) : { findings: [], warnings: [] };
    const card =
      entry.openssf === true
        ? await scorecard(entry.scorecardURL, name, context)
        : { findings: [], warnings: [] };
    warnings.push(...alerts.warnings, ...card.warnings);
    return documentOf(repository, [...alerts.findings, ...card.findings]);
  };
  const repositories = await inParallel(
    [...found].map(([name, repository]) => ({ name, run: () => read(repository) })),
    limits,
  );
  const organizations = await inParallel(
    (entry.organizations ?? []).map(({ name }) => ({
      name: `organizations: ${name}`,
      run: async () => organizationOf(objectAt(await get(client, name, `/orgs/${encodeURIComponent(name)}`))),
    })),
    limits,
  );
  if (entry.permissions?.enabled === true)
    warnings.push('permissions: users and their access are not part of the catalog; left out');
  const errors = [...lists.errors, ...repositories.errors, ...organizations.errors];
  return output({
    documents: [...organizations.results, ...repositories.results],
    errors,
    warnings,
    isComplete: errors.length === 0,
  });
}

/** See the head of this file. */
export const githubKind: ScraperKind<GithubEntry> = { kind: 'github', scrape };
