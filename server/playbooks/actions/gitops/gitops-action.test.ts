/** gitops actions against repositories that git itself serves over HTTP. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOLE, performAlone } from '../testing/action-setting.ts';
import type { ActionTry } from '../testing/action-setting.ts';
import { GIT_PASSWORD, startGitServer } from '../testing/git-server.ts';
import type { ApiQuestion, GitServer } from '../testing/git-server.ts';
import { gitopsAction } from './gitops-action.ts';

const WAIT = 180_000;
const APP = 'kind: Deployment\nspec:\n  replicas: 1 # enough\n  image: shop:1.0\n';
let server: GitServer;
let count = 0;
let path = '';

const addRepository = async () => {
  path = `/acme/shop-${(count += 1)}.git`;
  await server.add(path, {
    'apps/shop/app.yaml': APP,
    'apps/cart/app.yaml': APP.replaceAll('shop', 'cart'),
    'readme.md': '# Shop\n',
    'old/gone.txt': 'x',
    link: '-> /etc/passwd',
  });
};
/** What a server that was killed on this machine may have left is none of ours. */
const clones = () => readdirSync(tmpdir()).filter((name) => name.startsWith('holdfast-gitops-'));
const others = new Set(clones());
const clonesLeft = () => clones().filter((name) => !others.has(name));
beforeAll(async () => {
  server = await startGitServer();
  await addRepository();
});
afterAll(() => server.close());
beforeEach(() => {
  server.asked.length = 0;
  server.beforePush = () => Promise.resolve();
});

const IMAGE = { path: 'apps/shop/app.yaml', yq: `.spec.image = "shop:${HOLE}"` };
function spec({ repo, ...more }: { repo?: object; [key: string]: unknown } = {}) {
  return {
    repo: { url: `${server.url}${path}`, password: GIT_PASSWORD, ...repo },
    commit: { author: 'Ann', email: 'ann@example.com', message: `Shop ${HOLE}` },
    patches: [IMAGE],
    ...more,
  };
}
const perform = (given: object, more: ActionTry = {}) =>
  performAlone(gitopsAction, given, { value: '2.0', ...more });
const show = (what: string) => server.git(path, 'show', what);

test(
  'says what is wrong, and pushes nothing',
  async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ repo: { password: 'wrong' } }, 'HTTP 401, the credentials'],
      [{ repo: { base: 'nowhere' } }, 'there is no branch "nowhere"'],
      [{ patches: [{ path: 'no.yaml', yq: '.' }] }, 'there is no file "no.yaml"'],
      [{ patches: [{ ...IMAGE, yq: '.a ==' }] }, 'apps/shop/app.yaml: ".a =="'],
      [{ files: [{ path: '../x', content: '' }] }, 'leads out of the files'],
      [{ files: [{ path: 'a/.GIT/config', content: '' }] }, 'leads out of the files'],
      [{ files: [{ path: 'apps', content: '' }] }, 'is a folder'],
      [{ files: [{ path: 'readme.md/x', content: '' }] }, '"readme.md" is no folder'],
      [{ pr: { title: 'x' } }, 'needs a branch other than its base'],
      [{ repo: { url: 'ssh://git@example.com/x' } }, 'with http or https'],
      [{ patches: [] }, 'needs patches or files'],
      [{ files: [{ path: 'link', content: '' }] }, 'link is a folder, a link'],
      [{ patches: [{ path: 'link', yq: '.' }] }, 'there is no file "link"'],
    ];
    for (const [more, message] of wrong) await expect(perform(spec(more))).rejects.toThrow(message);
    expect(await server.git(path, 'rev-list', '--count', '--all')).toBe('1\n');
  },
  WAIT,
);

test(
  'a push that the repository does not take fails with its reason, and changes nothing',
  async () => {
    await server.git(path, 'config', 'receive.maxInputSize', '10');
    try {
      await expect(perform(spec())).rejects.toThrow(/^gitops\.repo: .*unpack/s);
    } finally {
      await server.git(path, 'config', '--unset', 'receive.maxInputSize');
    }
    expect(await server.git(path, 'rev-list', '--count', '--all')).toBe('1\n');
  },
  WAIT,
);

test(
  'the guard is asked for every call',
  async () => {
    await expect(perform(spec(), { allow: [] })).rejects.toThrow('not allowed');
    expect(server.asked).toEqual([]);
  },
  WAIT,
);

test(
  'an expression that never ends is ended with its action, and takes no time from the server',
  async () => {
    const ending = new AbortController();
    const output = (_stream: string, text: string) => {
      // The thread is in jq soon after; the loop of this process goes on, or this would never be heard.
      if (text.startsWith('reading')) setTimeout(() => ending.abort(), 1500);
    };
    const endless = spec({ patches: [{ path: 'apps/shop/app.yaml', jq: 'last(repeat(.))' }] });
    await expect(perform(endless, { more: { signal: ending.signal, output } })).rejects.toThrow();
    expect(clonesLeft()).toEqual([]);
  },
  WAIT,
);

test(
  'an expression that wants all memory fails by itself',
  async () => {
    const greedy = spec({
      patches: [{ path: 'apps/shop/app.yaml', jq: 'reduce range(40) as $i ("x"; . + .)' }],
    });
    await expect(perform(greedy)).rejects.toThrow(/memory|took longer|fails/);
  },
  WAIT,
);

test(
  'a file is patched, committed and pushed; its comment stays, and nothing else changes',
  async () => {
    await addRepository();
    const lines: string[] = [];
    const output = (_stream: string, text: string) => lines.push(text);
    const outcome = await perform(spec(), { more: { output } });
    expect(outcome).toMatchObject({
      error: null,
      result: { branch: 'main', changed: ['apps/shop/app.yaml'], links: [], pr: null },
    });
    expect(await show('main:apps/shop/app.yaml')).toBe(APP.replace('shop:1.0', 'shop:2.0'));
    expect(await server.git(path, 'log', '--format=%an <%ae> %s', 'main')).toBe(
      'Ann <ann@example.com> Shop 2.0\nAnn <ann@example.com> by Ann\n',
    );
    expect(await server.git(path, 'diff', '--stat', 'main~1', 'main')).toContain('1 file changed');
    expect(await server.git(path, 'fsck', '--strict')).toBe('');
    expect(lines.join('')).toMatch(
      /reading main\nchanged apps\/shop\/app\.yaml\npushed [0-9a-f]{10} to main\n/,
    );
    expect(clonesLeft()).toEqual([]);
  },
  WAIT,
);

test(
  'patterns, files, deletions: one commit on a branch of its own',
  async () => {
    await addRepository();
    const outcome = await perform(
      spec({
        repo: { branch: 'scale' },
        patches: [{ path: 'apps/**/*.yaml', jq: '.spec.replicas = 3' }],
        files: [
          { path: `new/folder/${HOLE}.txt`, content: `version ${HOLE}\n` },
          { path: 'old/gone.txt', content: '$delete' },
        ],
      }),
    );
    expect(outcome.error).toBeNull();
    expect((await server.git(path, 'ls-tree', '-r', '--name-only', 'scale')).trim().split('\n')).toEqual([
      'apps/cart/app.yaml',
      'apps/shop/app.yaml',
      'link',
      'new/folder/2.0.txt',
      'readme.md',
    ]);
    expect(await show('scale:apps/cart/app.yaml')).toContain('replicas: 3 # enough');
    expect(await show('scale:new/folder/2.0.txt')).toBe('version 2.0\n');
    expect(await server.git(path, 'rev-list', '--count', 'main')).toBe('1\n');
    expect(await server.git(path, 'fsck', '--strict')).toBe('');
  },
  WAIT,
);

test(
  'what changes nothing makes no commit; a branch that is there goes on, is skipped, or begins anew',
  async () => {
    await addRepository();
    const unchanged = await perform(
      spec({ patches: [{ path: 'apps/shop/app.yaml', yq: '.spec.replicas = 1' }] }),
    );
    expect(unchanged).toMatchObject({
      error: null,
      result: { commit: null, logs: 'reading main\nnothing changes' },
    });
    const onBranch = (repo: object, value: string) =>
      perform(spec({ repo: { branch: 'release', ...repo } }), { value });
    await onBranch({}, '2.0');
    await onBranch({}, '3.0');
    expect(await server.git(path, 'rev-list', '--count', 'release')).toBe('3\n');
    expect(await onBranch({ skipExisting: true }, '4.0')).toMatchObject({
      error: null,
      result: { changed: [] },
    });
    expect(await show('release:apps/shop/app.yaml')).toContain('shop:3.0');
    await onBranch({ force: true }, '5.0');
    expect(await server.git(path, 'rev-list', '--count', 'release')).toBe('2\n');
    expect(await show('release:apps/shop/app.yaml')).toContain('shop:5.0');
  },
  WAIT,
);

test(
  'when somebody pushed meanwhile, the change goes on top of it; none is lost',
  async () => {
    await addRepository();
    let isFirst = true;
    server.beforePush = async () => {
      if (!isFirst) return;
      isFirst = false;
      await server.commit(path, 'readme.md', '# Meanwhile\n');
    };
    const { error } = await perform(spec());
    expect(error).toBeNull();
    expect(await show('main:readme.md')).toBe('# Meanwhile\n');
    expect(await show('main:apps/shop/app.yaml')).toContain('shop:2.0');
    expect(await server.git(path, 'rev-list', '--count', 'main')).toBe('3\n');
  },
  WAIT,
);

const asked: (Omit<ApiQuestion, 'body'> & { body: unknown })[] = [];
/** Answers by method and path; the first that fits. */
function answering(answers: [string, number, unknown][]) {
  asked.length = 0;
  server.api = (question) => {
    asked.push({ ...question, body: question.body === '' ? null : JSON.parse(question.body) });
    const found = answers.find(([start]) => `${question.method} ${question.path}`.startsWith(start));
    return { status: found?.[1] ?? 404, body: found?.[2] ?? {} };
  };
}
const said = () => asked.map(({ method, path: place, body }) => [method, place, body]);

test(
  'a pull request is opened at each service, with its labels; one that is there already is found',
  async () => {
    await addRepository();
    const name = path.slice(1).replace(/\.git$/, '');
    const run = (type: string, branch: string) =>
      perform(spec({ repo: { type, branch }, pr: { title: `Shop ${HOLE}`, tags: ['release'] } }));
    const link = 'https://git.example.com/pull/7';

    answering([
      [`POST /api/v3/repos/${name}/pulls`, 201, { number: 7, html_url: link }],
      [`POST /api/v3/repos/${name}/issues/7/labels`, 422, {}],
    ]);
    const opened = await run('github', 'one');
    expect(opened).toMatchObject({ error: null, result: { pr: 7, links: [link] } });
    expect(opened.result['logs']).toContain(`opened ${link}\nthe labels were not accepted`);
    expect(said()).toEqual([
      ['POST', `/api/v3/repos/${name}/pulls`, { title: 'Shop 2.0', head: 'one', base: 'main' }],
      ['POST', `/api/v3/repos/${name}/issues/7/labels`, { labels: ['release'] }],
    ]);
    expect(asked[0]?.authorization).toBe(`Bearer ${GIT_PASSWORD}`);

    answering([
      ['POST', 422, {}],
      ['GET', 200, [{ number: 6, html_url: link }]],
    ]);
    expect((await run('github', 'one')).result).toMatchObject({ pr: 6, changed: [], links: [link] });
    expect(asked[1]?.path).toBe(`/api/v3/repos/${name}/pulls?state=open&base=main&head=acme%3Aone`);

    const project = `/api/v4/projects/${encodeURIComponent(name)}/merge_requests`;
    answering([[`POST ${project}`, 201, { iid: 3, web_url: link }]]);
    expect((await run('gitlab', 'two')).result).toMatchObject({ pr: 3, links: [link] });
    expect(said()).toEqual([
      [
        'POST',
        project,
        { source_branch: 'two', target_branch: 'main', title: 'Shop 2.0', labels: 'release' },
      ],
    ]);

    answering([
      [`GET /api/v1/repos/${name}/labels`, 200, [{ id: 11, name: 'release' }]],
      [`POST /api/v1/repos/${name}/pulls`, 409, {}],
      [`GET /api/v1/repos/${name}/pulls/main/three`, 200, { number: 4, html_url: link }],
    ]);
    expect((await run('gitea', 'three')).result).toMatchObject({ pr: 4, links: [link] });
    expect(asked[1]?.body).toEqual({ title: 'Shop 2.0', head: 'three', base: 'main', labels: [11] });
    expect(asked[1]?.authorization).toBe(`token ${GIT_PASSWORD}`);
  },
  WAIT,
);

test(
  'a service that refuses the pull request fails the action; what was pushed is told. One that nobody knows pushes nothing',
  async () => {
    await addRepository();
    answering([['POST', 403, { message: 'a secret of theirs' }]]);
    const refused = await perform(spec({ repo: { type: 'gitlab', branch: 'late' }, pr: { title: 'x' } }));
    expect(refused).toMatchObject({
      error: 'gitops.pr: HTTP 403, the credentials may not do this',
      result: { branch: 'late', pr: null, changed: ['apps/shop/app.yaml'] },
    });
    expect(await show('late:apps/shop/app.yaml')).toContain('shop:2.0');
    await expect(perform(spec({ repo: { branch: 'none' }, pr: { title: 'x' } }))).rejects.toThrow(
      'say at which service 127.0.0.1 is: github, gitlab, gitea',
    );
    expect(await server.git(path, 'branch', '--list', 'none')).toBe('');
  },
  WAIT,
);

test(
  'whatever a value is, it changes its own place and nothing else',
  async () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom(
        '" | del(.)',
        '../../x',
        'a/b',
        '.git',
        '*',
        '\n- x',
        ': {}',
        '"',
        "'",
        '# x',
        '{{.x}}',
        '\\',
      ),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        fc.pre(!/\p{Surrogate}|\0/u.test(value));
        const given = spec({
          repo: { branch: 'try', force: true },
          files: [
            { path: `made/${HOLE}`, content: HOLE },
            { path: 'made.yaml', content: `a: ${HOLE}\nb: "${HOLE}"\n` },
          ],
        });
        const before = await server.git(path, 'for-each-ref');
        const outcome = await perform(given, { value }).catch((error: unknown) => error);
        if (outcome instanceof Error) {
          expect(outcome.message).toMatch(/^gitops\./);
          expect(await server.git(path, 'for-each-ref')).toBe(before);
          return;
        }
        const names = (await server.git(path, 'ls-tree', '-rz', '--name-only', 'try'))
          .split('\0')
          .filter(Boolean);
        expect(names.filter((name) => !/^(apps|old)\/|^link$|^readme\.md$|^made\.yaml$/.test(name))).toEqual([
          `made/${value}`,
        ]);
        expect(await show('try:apps/cart/app.yaml')).toBe(APP.replaceAll('shop', 'cart'));
      }),
      { numRuns: 10 },
    );
  },
  WAIT,
);

test(
  'an action ends, however often memory is tidied while it goes on',
  async () => {
    await addRepository();
    setFlagsFromString('--expose-gc');
    const tidy = runInNewContext('gc') as () => void;
    // Also between two calls, when nothing but the thread has work.
    const often = setInterval(tidy, 50);
    server.beforePush = async () => {
      for (let at = 0; at < 10; at += 1) {
        tidy();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    try {
      await perform(spec({ repo: { branch: 'tidied' } }));
    } finally {
      clearInterval(often);
    }
    expect(await show('tidied:apps/shop/app.yaml')).toContain('shop:2.0');
  },
  WAIT,
);
