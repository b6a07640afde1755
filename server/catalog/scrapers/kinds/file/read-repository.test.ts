/** file.url of a repository: real repositories over HTTP by git itself. */
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServerGuard } from '../../../../platform/egress/server-guard.ts';
import { GIT_PASSWORD, startGitServer } from '../../../../playbooks/actions/testing/git-server.ts';
import type { GitServer } from '../../../../playbooks/actions/testing/git-server.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import { scrapeSetting } from '../../testing/scrape-setting.ts';
import { fileKind } from './file-kind.ts';

const guard = createServerGuard({ egressAllow: ['loopback'], egressDeny: [], databaseUrl: null });
let git: GitServer;
let signedIn: ScrapeContext;
const setting = scrapeSetting({ guard });
const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('holdfast-scrape-'));
/** What another server or test has, or left when it was killed, is none of ours. */
let others = new Set<string>();

beforeAll(async () => {
  others = new Set(await folders());
  git = await startGitServer();
  await git.add('acme/shop.git', {
    'deploy/a.yaml': 'name: a\n---\nname: b\n',
    'deploy/broken.json': '{"a":',
    'deploy/passwd.yaml': '-> /etc/passwd',
    linked: '-> /etc',
    'other.yaml': 'name: other\n',
  });
  const connection = {
    type: 'git',
    url: `${git.url}/acme/shop.git`,
    username: '',
    password: GIT_PASSWORD,
    certificate: '',
    insecureTls: false,
    properties: {},
  };
  signedIn = { ...setting, connection: async () => connection };
});
afterAll(async () => {
  await setting.expressions.close();
  await git.close();
});

const shop = (rest = '') => ({ url: `${git.url}/acme/shop.git${rest}`, connection: 'connection://a/git' });
const namesOf = async (rest: string, paths: string[]) =>
  (await fileKind.scrape({ ...shop(rest), paths }, signedIn)).documents.map(({ content, source }) => [
    source.replace(git.url, ''),
    content,
  ]);

test('files of the default branch, of a branch, a tag and a commit', async () => {
  const [first] = (await git.git('acme/shop.git', 'rev-parse', 'main')).split('\n');
  await git.git('acme/shop.git', 'tag', '-a', 'v1', '-m', 'the first');
  await git.git('acme/shop.git', 'branch', 'old');
  await git.commit('acme/shop.git', 'deploy/a.yaml', 'name: newer\n');
  const source = '/acme/shop.git/deploy/a.yaml';
  expect(await namesOf('', ['deploy/a.yaml'])).toEqual([[source, { name: 'newer' }]]);
  const before = [
    [source, { name: 'a' }],
    [source, { name: 'b' }],
  ];
  for (const ref of ['v1', 'old', first])
    expect([ref, await namesOf(`//deploy?ref=${ref}`, ['a.yaml'])]).toEqual([ref, before]);
});

test('a file that is broken or leads out is told, and the others count', async () => {
  const output = await fileKind.scrape({ ...shop(), paths: ['deploy/**'] }, signedIn);
  expect(output.documents.map(({ content }) => content)).toContainEqual({ name: 'newer' });
  expect(output.errors).toEqual([expect.stringContaining('deploy/broken.json')]);
  expect(JSON.stringify(output)).not.toContain('root:');
  const linked = await fileKind.scrape({ ...shop('//linked'), paths: ['passwd'], format: 'text' }, signedIn);
  expect(linked).toMatchObject({
    documents: [],
    errors: ['paths: passwd: is a link that leads out of the repository'],
  });
});

test.each([
  ['', [], /^paths: is required/],
  ['', ['../**'], /^paths: "\.\.\/\*\*" leads out of the repository$/],
  ['', ['/etc/*'], /^paths: "\/etc\/\*" leads out of the repository$/],
  ['//nowhere', ['*.yaml'], /^paths: no file matches/],
  ['?ref=nope', ['*'], /^url: .*\/acme\/shop\.git: /],
  ['?ref=0000000000000000000000000000000000000000', ['*'], /^url: .*\/acme\/shop\.git: /],
])('%j with paths %j is refused with a reason', async (rest, paths, reason) => {
  await expect(fileKind.scrape({ ...shop(rest), paths }, signedIn)).rejects.toThrow(reason);
});

test('without credentials, and where the guard does not let it, nothing is read', async () => {
  const entry = { url: shop().url, paths: ['*'] };
  await expect(fileKind.scrape(entry, setting)).rejects.toThrow(
    /^url: .*: HTTP 401, the credentials are missing/,
  );
  const closed = createServerGuard({ egressAllow: [], egressDeny: [], databaseUrl: null });
  const asked = git.asked.length;
  await expect(fileKind.scrape(entry, { ...setting, guard: closed, trust: 'user' })).rejects.toThrow(
    /127\.0\.0\.1/,
  );
  expect(git.asked).toHaveLength(asked);
});

test('nothing is left behind', async () => {
  expect((await folders()).filter((name) => !others.has(name))).toEqual([]);
});
