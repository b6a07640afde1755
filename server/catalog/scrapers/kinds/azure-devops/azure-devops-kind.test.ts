/** The REST API of Azure DevOps, played on this machine. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { startLocalServer } from '../../testing/local-server.ts';
import type { Answered, Asked, LocalServer } from '../../testing/local-server.ts';
import { scrapeSetting } from '../../testing/scrape-setting.ts';
import { azureDevopsKind } from './azure-devops-kind.ts';

const run = (id: number, definition: number, result: string | null) => ({
  id,
  buildNumber: `2026.${id}`,
  status: result === null ? 'inProgress' : 'completed',
  result,
  queueTime: `2026-08-20T0${id}:00:00Z`,
  finishTime: `2026-08-20T0${id}:10:00Z`,
  sourceBranch: 'refs/heads/main',
  definition: { id: definition },
  requestedFor: { uniqueName: 'ann@example.com' },
});
let broken: Record<string, number> = {};
let devops: LocalServer;

function answer({ url }: Asked): Answered {
  const status = broken[url.pathname];
  if (status !== undefined) return { status, body: 'a page to sign in' };
  switch (url.pathname) {
    case '/acme/_apis/projects':
      return url.searchParams.has('continuationToken')
        ? { body: { value: [{ id: 'p2', name: 'Other', state: 'wellFormed' }] } }
        : {
            headers: { 'x-ms-continuationtoken': '2' },
            body: { value: [{ id: 'p1', name: 'Demo1', state: 'wellFormed', lastUpdateTime: 'x' }] },
          };
    case '/acme/Demo1/_apis/pipelines':
      return {
        body: {
          value: ['adhoc-release', 'git automation', 'nightly'].map((name, index) => ({
            id: index + 1,
            name,
          })),
        },
      };
    case '/acme/Demo1/_apis/build/builds':
      return url.searchParams.has('definitions')
        ? { body: { value: [run(1, 2, 'succeeded')] } }
        : {
            body: {
              value: [run(4, 1, null), run(3, 1, 'canceled'), run(2, 1, 'failed'), run(5, 3, 'failed')],
            },
          };
    default:
      return { status: 404, body: {} };
  }
}

const context = scrapeSetting({
  connection: async () => ({
    type: 'azure_devops',
    url: devops.url,
    username: 'acme',
    password: 'a-token',
    certificate: '',
    insecureTls: false,
    properties: {},
  }),
});
const entry = z
  .object({ spec: z.object({ azureDevops: z.array(z.record(z.string(), z.unknown())) }) })
  .parse(parse(readFileSync('../shared/fixtures/scrapers/fixtures/azure-devops.yaml', 'utf8'))).spec
  .azureDevops[0];

beforeAll(async () => {
  devops = await startLocalServer(answer);
});
beforeEach(() => {
  broken = {};
});
afterAll(async () => {
  await devops.close();
  await context.expressions.close();
});
const scrape = () => azureDevopsKind.scrape({ ...entry }, context);

test('the recorded scraper of the fixtures brings its project and its two pipelines', async () => {
  const { documents, errors, isComplete } = await scrape();
  expect({ errors, isComplete }).toEqual({ errors: [], isComplete: true });
  expect(documents.map(({ known }) => [known.type, known.name, known.health, known.status])).toEqual([
    ['AzureDevops::Project', 'Demo1', 'healthy', 'Active'],
    ['AzureDevops::Pipeline', 'adhoc-release', 'unhealthy', 'Running'],
    ['AzureDevops::Pipeline', 'git automation', 'healthy', 'Succeeded'],
  ]);
  expect(documents[1]?.known.parents).toEqual([{ type: 'AzureDevops::Project', externalId: 'acme/p1' }]);
});

test('runs that ended are changes of their pipeline', async () => {
  const { changes } = await scrape();
  expect(changes.map(({ externalChangeId, severity }) => [externalChangeId, severity])).toEqual([
    ['acme/3', 'low'],
    ['acme/2', 'high'],
  ]);
  expect(changes[1]).toMatchObject({
    about: { type: 'AzureDevops::Pipeline', externalId: 'acme/p1/1' },
    changeType: 'PipelineRun',
    summary: '2026.2 on main: failed',
    createdBy: 'ann@example.com',
  });
});

test('a project that fails is told, and a token that is not accepted is said plainly', async () => {
  broken = { '/acme/Demo1/_apis/pipelines': 500 };
  const out = await scrape();
  expect(out).toMatchObject({
    isComplete: false,
    errors: ['Demo1: pipelines: HTTP 500, the service failed'],
  });
  broken = { '/acme/_apis/projects': 203 };
  await expect(scrape()).rejects.toThrow('the credentials are not accepted');
});

test('what is missing is named', async () => {
  const bare = { ...context, connection: async () => null };
  const wanted = { projects: ['a'], pipelines: ['b'] };
  await expect(azureDevopsKind.scrape(wanted, bare)).rejects.toThrow('organization is missing');
  await expect(azureDevopsKind.scrape({ ...wanted, organization: 'acme' }, bare)).rejects.toThrow(
    'personalAccessToken',
  );
  await expect(azureDevopsKind.scrape({ ...entry }, bare)).rejects.toThrow('there is no connection');
});
