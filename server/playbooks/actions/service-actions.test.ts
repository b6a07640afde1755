/** Actions that start something at GitHub and Azure DevOps, against their APIs played on this machine. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startLocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import type { LocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import type { RegisteredKind } from './action-kind.ts';
import { azureDevopsAction } from './azure-devops-action.ts';
import { githubAction } from './github-action.ts';
import { HOLE, performAlone } from './testing/action-setting.ts';

let service: LocalServer;
let status = 200;
beforeAll(async () => {
  service = await startLocalServer(() => ({
    status,
    body: { id: 7, state: 'inProgress', _links: { web: { href: 'https://dev.azure.com/x' } } },
  }));
});
beforeEach(() => {
  status = 200;
  service.asked.length = 0;
});
afterAll(() => service.close());

const perform = (kind: RegisteredKind, spec: object, value = '', allow = ['127.0.0.1']) => {
  const connection = { type: 'github', url: `${service.url}/api/v3`, password: 'a-token' };
  return performAlone(kind, spec, { value, allow, connection });
};

const github = (more: object = {}) => ({
  repo: 'shop',
  username: 'acme',
  connection: 'connection://github',
  workflows: [{ id: 'deploy.yml', ref: 'main', input: '{"version": "{{.x}}"}' }],
  ...more,
});
const azure = (more: object = {}) => ({
  org: `${service.url}/acme`,
  project: 'Shop Front',
  token: 'a-token',
  pipeline: { id: 12, version: 3 },
  parameters: { version: HOLE },
  ...more,
});

test('github: a workflow is started with its inputs, by the token of the connection', async () => {
  status = 204;
  const outcome = await perform(githubAction, github(), '1.2');
  expect(outcome).toEqual({ error: null, result: { workflows: [{ id: 'deploy.yml', ref: 'main' }] } });
  const [asked] = service.asked;
  expect([asked?.method, asked?.url.pathname, asked?.headers['authorization']]).toEqual([
    'POST',
    '/api/v3/repos/acme/shop/actions/workflows/deploy.yml/dispatches',
    'Bearer a-token',
  ]);
  expect(JSON.parse(asked?.body ?? '')).toEqual({ ref: 'main', inputs: { version: '1.2' } });
});

test('azure: a pipeline is started with its parameters', async () => {
  const outcome = await perform(azureDevopsAction, azure(), '1.2');
  expect(outcome).toEqual({
    error: null,
    result: { id: 7, name: undefined, state: 'inProgress', links: ['https://dev.azure.com/x'] },
  });
  const [asked] = service.asked;
  expect([asked?.url.pathname, asked?.url.search, asked?.headers['authorization']]).toEqual([
    '/acme/Shop%20Front/_apis/pipelines/12/runs',
    '?api-version=7.1&pipelineVersion=3',
    `Basic ${Buffer.from(':a-token').toString('base64')}`,
  ]);
  expect(JSON.parse(asked?.body ?? '')).toEqual({ templateParameters: { version: '1.2' } });
});

test('a refusal says what to do, and nothing of what the service answered', async () => {
  status = 404;
  expect((await perform(githubAction, github())).error).toBe(
    'workflow deploy.yml: HTTP 404, there is no such thing, or the credentials may not see it',
  );
  status = 203;
  await expect(perform(azureDevopsAction, azure())).rejects.toThrow('the credentials are not accepted');
});

test('the guard is asked for every call', async () => {
  expect((await perform(githubAction, github(), '', [])).error).toContain('not allowed');
  await expect(perform(azureDevopsAction, azure(), '', [])).rejects.toThrow('not allowed');
  expect(service.asked).toEqual([]);
});

test('whatever a value is, it reaches another place of the service nowhere, and stays a value in the body', async () => {
  const values = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '../../x',
      'a/b/c',
      '..',
      '?x=1',
      '#',
      '%2e%2e',
      '", "ref": "evil',
      '\\',
      'a\nb',
      '//evil.example',
    ),
  );
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      service.asked.length = 0;
      await perform(githubAction, github(), value);
      await perform(azureDevopsAction, azure(), value);
      expect(service.asked.map(({ body }): unknown => JSON.parse(body))).toEqual([
        { ref: 'main', inputs: { version: value } },
        { templateParameters: { version: value } },
      ]);
      service.asked.length = 0;
      for (const spec of [github({ repo: HOLE }), github({ workflows: [{ id: HOLE }] })])
        await perform(githubAction, spec, value).catch(() => undefined);
      await perform(azureDevopsAction, azure({ project: HOLE }), value).catch(() => undefined);
      for (const { url } of service.asked)
        expect(url.pathname.split('/').length).toBe(url.pathname.startsWith('/api/') ? 10 : 7);
    }),
    { numRuns: 60 },
  );
});
