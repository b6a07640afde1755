/** gitProtocol against repositories that git itself serves over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GIT_PASSWORD, startGitServer } from '../../../playbooks/actions/testing/git-server.ts';
import type { GitServer } from '../../../playbooks/actions/testing/git-server.ts';
import { kindSetting } from '../../testing/kind-setting.ts';
import { runKind } from '../../testing/run-kind.ts';

const WAIT = 120_000;
const PATH = '/acme/shop.git';
let server: GitServer;
beforeAll(async () => {
  server = await startGitServer();
  await server.add(PATH, { 'readme.md': 'x' });
});
afterAll(() => server.close());
const run = (spec: object, context = kindSetting()) =>
  runKind('gitProtocol', { repository: `${server.url}${PATH}`, password: GIT_PASSWORD, ...spec }, context);

test('passes with a repository that can be read, and the branch that is named', async () => {
  const commit = (await server.git(PATH, 'rev-parse', 'main')).trim();
  expect(await run({})).toMatchObject({
    pass: true,
    error: null,
    data: { results: { branch: 'main', branches: ['main'], commit } },
  });
  expect(await run({ branch: 'main' })).toMatchObject({ pass: true });
});

test.each<[string, object, RegExp]>([
  ['a branch that is not there', { branch: 'none' }, /no branch "none"/],
  ['a wrong password', { password: 'x' }, /401/],
])('%s has failed', async (_what, spec, error) => {
  expect(await run(spec)).toMatchObject({ pass: false, invalid: false, error: expect.stringMatching(error) });
});

test(
  'is not run at a place that its author may not call, and asks nothing there',
  async () => {
    const asked = server.asked.length;
    const byUser = kindSetting({ trust: 'user' });
    for (const spec of [{}, { filename: 'a' }])
      expect(await run(spec, byUser)).toMatchObject({ notRun: expect.stringContaining('127.0.0.1') });
    expect(server.asked.length).toBe(asked);
  },
  WAIT,
);

test(
  'pushes the file where one is named, and nothing but that',
  async () => {
    const found = await run({ filename: 'probe/time.txt' });
    expect(found).toMatchObject({ pass: true, error: null });
    expect(await server.git(PATH, 'diff', '--name-only', 'main~1', 'main')).toBe('probe/time.txt\n');
    expect(await server.git(PATH, 'rev-list', '--count', 'main')).toBe('2\n');
    expect(found.data['results']).toMatchObject({
      commit: (await server.git(PATH, 'rev-parse', 'main')).trim(),
    });
    expect(await run({ filename: '../x' })).toMatchObject({ pass: false, invalid: true });
  },
  WAIT,
);
