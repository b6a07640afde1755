/** exec in a checkout of a real repository, and with what clouds' programs sign in with. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GIT_PASSWORD, startGitServer } from '../../../playbooks/actions/testing/git-server.ts';
import type { GitServer } from '../../../playbooks/actions/testing/git-server.ts';
import { startJsonServer } from '../../testing/json-server.ts';
import { makeTestCertificate } from '../../testing/test-certificate.ts';
import { runKind } from '../../testing/run-kind.ts';

let git: GitServer;
beforeAll(async () => {
  git = await startGitServer();
  await git.add('acme/shop.git', { 'go.mod': 'module acme/shop\n', 'reports/a.txt': 'all is well' });
});
afterAll(() => git.close());
const signIn = { username: 'git', password: GIT_PASSWORD };
const run = (entry: object) => runKind('exec', entry);

describe('exec', () => {
  test('begins in the files of the repository, without its credentials, and keeps what it leaves there', async () => {
    const found = await run({
      script: 'head -n 1 go.mod; grep -rqs "$0" . ; env; cat .git/config',
      checkout: { url: `${git.url}/acme/shop.git`, ...signIn },
      artifacts: [{ path: 'reports/*.txt' }],
    });
    expect(found).toMatchObject({ pass: true, files: [{ name: 'reports/a.txt' }] });
    expect(JSON.stringify(found.data)).toContain('module acme/shop');
    expect(JSON.stringify(found.data)).not.toContain(GIT_PASSWORD);
  });
  test.each([
    [{ destination: '../x' }, 'checkout.destination'],
    [{ password: 'wrong' }, 'checkout: HTTP 401'],
    [{ branch: 'nope' }, 'checkout: '],
  ])('says what is wrong with %j', async (more, error) => {
    const checkout = { url: `${git.url}/acme/shop.git`, ...signIn, ...more };
    expect(await run({ script: 'true', checkout })).toMatchObject({
      pass: false,
      error: expect.stringContaining(error),
    });
  });
  test('trusts the authority that it names', async () => {
    const certificate = await makeTestCertificate(20);
    const server = await startJsonServer(() => null, certificate);
    const checkout = { url: `${server.url}/acme/shop.git` };
    const byNone = await run({ script: 'true', checkout });
    const byOwn = await run({ script: 'true', checkout: { ...checkout, certificate: certificate.ca } });
    server.stop();
    expect(byNone.error).not.toContain('HTTP 404');
    expect(byOwn.error).toContain('HTTP 404');
  });
  test('has the variables and files of its connections', async () => {
    const connections = {
      aws: { accessKey: 'id', secretKey: 'aws-secret', region: 'eu-west-1' },
      gcp: { credentials: '{"a":1}' },
      kubernetes: { kubeconfig: 'kind: Config' },
    };
    const script =
      'echo $AWS_ACCESS_KEY_ID $AWS_DEFAULT_REGION; cat $GOOGLE_APPLICATION_CREDENTIALS $KUBECONFIG';
    expect(await run({ script, connections })).toMatchObject({
      pass: true,
      data: { results: { stdout: 'id eu-west-1\n{"a":1}kind: Config' } },
    });
  });
});
