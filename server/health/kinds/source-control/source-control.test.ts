/** azureDevops and github, over servers that answer as their published interfaces say. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenConnection } from '../../../connections/secret-scope.ts';
import { startJsonServer } from '../../testing/json-server.ts';
import type { JsonServer } from '../../testing/json-server.ts';
import { kindSetting } from '../../testing/kind-setting.ts';
import { runKind } from '../../testing/run-kind.ts';

/** A connection to that address, for whoever may use it. */
const connectedTo = (type: string, url: string) =>
  kindSetting({
    connection: async (): Promise<OpenConnection> => ({
      type,
      url,
      username: '',
      password: 'kept',
      certificate: '',
      isInsecureTls: false,
      properties: {},
    }),
  });

describe('azureDevops', () => {
  let devops: JsonServer;
  const ended = (definition: number, minute: number, more: object = {}) => ({
    id: minute,
    buildNumber: `2026.${minute}`,
    status: 'completed',
    result: 'succeeded',
    sourceBranch: 'refs/heads/main',
    startTime: `2026-08-20T10:0${minute}:00Z`,
    finishTime: `2026-08-20T10:0${minute}:30Z`,
    definition: { id: definition },
    ...more,
  });
  const RUNS = [
    ended(1, 1, { result: 'failed' }),
    ended(1, 3, { parameters: '{"env":"prod"}' }),
    ended(1, 5, { result: 'failed', sourceBranch: 'refs/heads/try' }),
    ended(2, 2, { result: 'partiallySucceeded' }),
  ];
  beforeAll(async () => {
    devops = await startJsonServer(({ url, headers }) => {
      if (headers.authorization !== `Basic ${Buffer.from(':kept').toString('base64')}`)
        return { status: 203, body: 'a page to sign in' };
      if (url.pathname === '/acme/my%20shop/_apis/pipelines')
        return {
          body: { value: ['windows-app', 'windows-lib', 'linux'].map((name, at) => ({ id: at + 1, name })) },
        };
      const wanted = (url.searchParams.get('definitions') ?? '').split(',').map(Number);
      return url.pathname === '/acme/my%20shop/_apis/build/builds'
        ? { body: { value: RUNS.filter(({ definition }) => wanted.includes(definition.id)) } }
        : null;
    });
  });
  afterAll(() => devops.stop());
  const run = (spec: object) =>
    runKind(
      'azureDevops',
      { connection: 'ado', organization: 'acme', project: 'my shop', ...spec },
      connectedTo('azure_devops', devops.url),
    );

  test('passes when the last run that is meant succeeded, in time', async () => {
    const spec = { pipeline: 'app$', branch: ['main'], variables: { env: 'prod' }, thresholdMillis: 30_000 };
    expect(await run(spec)).toMatchObject({
      pass: true,
      error: null,
      data: {
        results: [
          {
            pipeline: 'windows-app',
            id: 3,
            branch: 'main',
            durationMillis: 30_000,
            variables: { env: 'prod' },
          },
        ],
      },
    });
  });
  test.each<[object, RegExp]>([
    [{ pipeline: '^windows-' }, /^windows-app 2026\.5: failed; windows-lib 2026\.2: partiallySucceeded$/],
    [{ pipeline: 'app', branch: ['main'], thresholdMillis: 29_999 }, /took 30000 ms, allowed are 29999 ms/],
    [{ pipeline: 'app', variables: { env: 'test' } }, /windows-app: has no run that ended/],
    [{ pipeline: 'linux' }, /linux: has no run that ended/],
    [{ pipeline: 'mac' }, /no pipeline of my shop is called mac/],
    [{ pipeline: 'app', project: 'other' }, /404/],
    [{ pipeline: 'app', personalAccessToken: 'wrong' }, /401, the credentials are not accepted/],
  ])('%o has failed', async (spec, error) => {
    expect(await run(spec)).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringMatching(error),
    });
  });
  test('a test of its own judges instead, and nothing is asked without a token', async () => {
    expect(await run({ pipeline: 'lib', test: { expr: 'true' } })).toMatchObject({ pass: true });
    const without = { project: 'p', pipeline: 'x', organization: 'acme' };
    expect(await runKind('azureDevops', without)).toMatchObject({
      invalid: true,
      error: expect.stringContaining('personalAccessToken'),
    });
  });
});

describe('github', () => {
  let github: JsonServer;
  beforeAll(async () => {
    github = await startJsonServer(({ url, headers }) => {
      const isIn = headers.authorization === 'Bearer kept';
      if (
        url.pathname === '/api/v3/search/issues' &&
        url.searchParams.get('q') === 'repo:acme/shop is:open a&b'
      )
        return { body: { total_count: isIn ? 2 : 0, items: isIn ? [{ number: 1 }, { number: 2 }] : [] } };
      if (url.pathname === '/api/v3/repos/acme/old/releases/latest')
        return { status: 301, headers: { location: '/api/v3/repos/acme/shop/releases/latest' } };
      if (url.pathname === '/api/v3/repos/acme/shop/releases/latest')
        return { body: { tag_name: 'v1', isIn } };
      return { status: 404, body: { message: 'Not Found' } };
    });
  });
  afterAll(() => github.stop());
  const run = (spec: object) => runKind('github', { url: github.url, githubToken: 'kept', ...spec });

  test('answers what a search finds, with the token of the check or its connection, or as anybody', async () => {
    const query = 'repo:acme/shop is:open a&b';
    const found = { pass: true, data: { count: 2, results: [{ number: 1 }, { number: 2 }] } };
    expect(await run({ query })).toMatchObject(found);
    const connected = connectedTo('github', github.url);
    expect(await runKind('github', { connection: 'gh', query }, connected)).toMatchObject(found);
    expect(await runKind('github', { url: github.url, query })).toMatchObject({
      pass: true,
      data: { count: 0 },
    });
  });
  test('answers what a path does, also where the repository was renamed', async () => {
    expect(await run({ path: '/repos/acme/old/releases/latest' })).toMatchObject({
      pass: true,
      data: { results: { tag_name: 'v1', isIn: true } },
    });
    expect(await run({ path: '/repos/acme/none' })).toMatchObject({
      pass: false,
      error: expect.stringContaining('status 404'),
    });
  });
  test('the sign-in of a connection goes nowhere else, and SQL is not run', async () => {
    const elsewhere = { ...connectedTo('github', 'https://github.example.com'), author: 'user' as const };
    const asked = github.asked.length;
    expect(
      await runKind('github', { connection: 'gh', url: github.url, query: 'a' }, elsewhere),
    ).toMatchObject({
      pass: false,
      notRun: expect.stringContaining('elsewhere'),
    });
    expect(github.asked.length).toBe(asked);
    expect(await run({ query: 'SELECT * FROM commits' })).toMatchObject({
      notRun: expect.stringContaining('SQL'),
    });
  });
  test.each([[{}], [{ query: 'a', path: '/b' }], [{ path: 'b' }]])('%o can not be read', async (spec) => {
    await expect(run(spec)).rejects.toThrow();
  });
});
