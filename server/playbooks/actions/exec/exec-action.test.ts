/** exec in the files of a real repository, and with what clouds' programs sign in with. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execAction } from './exec-action.ts';
import { performAlone } from '../testing/action-setting.ts';
import { GIT_PASSWORD, startGitServer } from '../testing/git-server.ts';
import type { GitServer } from '../testing/git-server.ts';

let git: GitServer;
beforeAll(async () => {
  git = await startGitServer();
  await git.add('acme/shop.git', { 'go.mod': 'module acme/shop\n' });
  await git.git('acme/shop.git', 'tag', 'v1');
  await git.commit('acme/shop.git', 'go.mod', 'module acme/newer\n');
});
afterAll(() => git.close());

const run = (spec: object, more: object = {}) =>
  performAlone(execAction, spec, { ...more, more: { isExecAllowed: true } });
const shop = (more: object = {}) => ({ url: `${git.url}/acme/shop.git`, password: GIT_PASSWORD, ...more });

test('begins in the files of a branch or a tag, and has no credentials', async () => {
  const script = 'cat go.mod; pwd; env; cat .git/config';
  const newest = await run({ script, checkout: shop() });
  expect(newest).toMatchObject({ error: null, result: { stdout: expect.stringContaining('acme/newer') } });
  expect(JSON.stringify(newest)).not.toContain(GIT_PASSWORD);
  expect(newest.result['git']).toEqual({
    url: `${git.url}/acme/shop.git`,
    branch: null,
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect(newest.result['stdout']).toMatch(/^GIT_COMMIT=[0-9a-f]{40}$/m);
  const first = await run({ script, checkout: shop({ branch: 'v1', destination: 'src/shop' }) });
  expect(first.result['stdout']).toMatch(/^module acme\/shop\n.*\/src\/shop\n/);
  expect(first.result['stdout']).toMatch(/^GIT_BRANCH=v1$/m);
});

test('the repository of a connection is read with its sign-in', async () => {
  const connection = { type: 'git', url: `${git.url}/acme/shop.git`, password: GIT_PASSWORD };
  expect(await run({ script: 'ls', checkout: { connection: 'shop' } }, { connection })).toMatchObject({
    error: null,
    result: { stdout: 'go.mod' },
  });
});

test.each([
  [{ destination: '../x' }, 'exec.checkout.destination: "../x" leads out'],
  [{ password: 'wrong' }, 'exec.checkout: HTTP 401'],
  [{ branch: 'nope' }, 'exec.checkout: '],
  [{ url: 'ssh://git@example.com/a' }, 'exec.checkout.url: must be an address with http'],
])('%j is refused with its field', async (more, reason) => {
  await expect(run({ script: 'true', checkout: shop(more) })).rejects.toThrow(reason);
});

test('variables and files of its connections are there while it runs', async () => {
  const connections = {
    aws: { accessKey: 'id', secretKey: 'aws-secret', region: 'eu-west-1' },
    gcp: { credentials: '{"a":1}' },
    kubernetes: { kubeconfig: 'kind: Config' },
  };
  const script =
    'echo $AWS_ACCESS_KEY_ID $AWS_DEFAULT_REGION; cat $GOOGLE_APPLICATION_CREDENTIALS $KUBECONFIG';
  expect(await run({ script, connections })).toMatchObject({
    error: null,
    result: { stdout: 'id eu-west-1\n{"a":1}kind: Config' },
  });
});
