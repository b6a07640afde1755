/** The API of GitHub, played on this machine for the real client. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ScrapeConnection, ScrapeOutput } from '../../specs/scraped.ts';
import { startLocalServer } from '../../testing/local-server.ts';
import type { Answered, Asked, LocalServer } from '../../testing/local-server.ts';
import { scrapeSetting } from '../../testing/scrape-setting.ts';
import { githubActionsKind } from './github-actions-kind.ts';

const REPO = '/api/v3/repos/flanksource/config-db/actions';
const workflow = (id: number, name: string, state = 'active') => ({
  id,
  name,
  path: `.github/workflows/${name.toLowerCase()}.yml`,
  state,
  created_at: '2024-01-01T00:00:00Z',
  html_url: `https://github.com/flanksource/config-db/actions/workflows/${name}.yml`,
});
const run = (id: number, workflowId: number, conclusion: string | null) => ({
  id,
  run_number: id,
  run_attempt: 1,
  workflow_id: workflowId,
  event: 'push',
  status: conclusion === null ? 'in_progress' : 'completed',
  conclusion,
  head_branch: 'main',
  head_sha: 'f00',
  html_url: 'https://github.com/flanksource/config-db/actions/runs/1',
  created_at: `2026-08-20T06:00:0${id}Z`,
  updated_at: `2026-08-20T06:05:0${id}Z`,
  actor: { login: 'octocat', avatar_url: 'https://x' },
});
const job = {
  name: 'unit',
  conclusion: 'failure',
  started_at: '2026-08-20T06:00:00Z',
  completed_at: '2026-08-20T06:04:00Z',
  steps: [
    { name: 'checkout', conclusion: 'success' },
    { name: 'test', conclusion: 'failure' },
  ],
};
let broken: Record<string, number> = {};
let github: LocalServer;

function answer({ url }: Asked): Answered {
  const status = broken[url.pathname];
  if (status !== undefined) return { status, body: { message: 'a text of the service' } };
  switch (url.pathname) {
    case `${REPO}/workflows`:
      return {
        body: {
          workflows: [workflow(1, 'Test'), workflow(2, 'Release'), workflow(3, 'Old', 'disabled_manually')],
        },
      };
    case `${REPO}/runs`:
      return {
        body: {
          workflow_runs: [run(1, 1, 'failure'), run(2, 1, 'success'), run(3, 1, 'failure'), run(4, 1, null)],
        },
      };
    case `${REPO}/workflows/2/runs`:
      return { body: { workflow_runs: [run(5, 2, 'success')] } };
    case `${REPO}/workflows/3/runs`:
      return { body: { workflow_runs: [] } };
    default:
      return url.pathname.endsWith('/jobs') ? { body: { jobs: [job] } } : { status: 404, body: {} };
  }
}

const connectionTo = (url: string): ScrapeConnection => ({
  type: 'github',
  url,
  username: '',
  password: 'a-token',
  certificate: '',
  insecureTls: false,
  properties: {},
});
const context = scrapeSetting({
  connection: async (reference) =>
    reference === 'connection://default/github-pat' ? connectionTo(`${github.url}/api/v3`) : null,
});
const entry = z
  .object({ spec: z.object({ githubActions: z.array(z.record(z.string(), z.unknown())) }) })
  .parse(parse(readFileSync('../shared/fixtures/scrapers/fixtures/github-actions.yaml', 'utf8'))).spec
  .githubActions[0];

beforeAll(async () => {
  github = await startLocalServer(answer);
});
beforeEach(() => {
  broken = {};
  github.asked.length = 0;
});
afterAll(async () => {
  await github.close();
  await context.expressions.close();
});
const scrape = (more: Record<string, unknown> = {}): Promise<ScrapeOutput> =>
  githubActionsKind.scrape({ ...entry, ...more }, context);

test('workflows are items whose health is that of their last telling run', async () => {
  const { documents, errors, isComplete } = await scrape();
  expect({ errors, isComplete }).toEqual({ errors: [], isComplete: true });
  expect(documents.map(({ known }) => [known.name, known.health, known.status, known.ready])).toEqual([
    ['Test', 'unhealthy', 'Running', false],
    ['Release', 'healthy', 'Success', true],
    ['Old', 'unknown', 'Disabled Manually', true],
  ]);
  expect(github.asked[0]?.headers['authorization']).toBe('token a-token');
});

test('runs that ended are changes, a failed one with the jobs and steps that failed', async () => {
  const { changes } = await scrape();
  expect(changes.map(({ externalChangeId, severity }) => [externalChangeId, severity])).toEqual([
    ['1/1', 'high'],
    ['2/1', 'info'],
    ['3/1', 'high'],
  ]);
  expect(changes[0]).toMatchObject({
    about: { type: 'GitHubActions::Workflow', externalId: 'github/flanksource/config-db/1' },
    changeType: 'GitHubActionRun',
    summary: '#1 on main: failure',
    createdBy: 'octocat',
    details: { jobs: [{ name: 'unit', failed_steps: ['test'] }] },
  });
});

test('the branch and the time since the last scrape narrow what is asked', async () => {
  await githubActionsKind.scrape({ ...entry }, { ...context, lastRun: new Date('2026-08-20T00:00:00Z') });
  const asked = github.asked.find(({ url }) => url.pathname === `${REPO}/runs`)?.url.searchParams;
  expect([asked?.get('branch'), asked?.get('created')]).toEqual(['main', '>=2026-08-17']);
});

test('only the named workflows are kept', async () => {
  const { documents, changes } = await scrape({ workflows: ['release*'] });
  expect(documents.map(({ known }) => known.name)).toEqual(['Release']);
  expect(changes).toEqual([]);
});

test('a part that fails is told without what the service said, and nothing counts as gone', async () => {
  broken = { [`${REPO}/workflows/2/runs`]: 500 };
  const out = await scrape();
  expect(out.isComplete).toBe(false);
  expect(out.errors).toEqual(['Release: HTTP 500, the service failed']);
  expect(out.documents).toHaveLength(2);
  broken = { [`${REPO}/workflows`]: 401 };
  await expect(scrape()).rejects.toThrow(
    'Workflows of flanksource/config-db: HTTP 401, the credentials are not accepted',
  );
});

test('an unknown connection and a closed address are refused with the reason', async () => {
  await expect(scrape({ connection: 'connection://default/other' })).rejects.toThrow(
    'there is no connection',
  );
  await expect(githubActionsKind.scrape({ ...entry }, { ...context, trust: 'user' })).rejects.toThrow(
    'not allowed',
  );
});
