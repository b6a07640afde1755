/** Whole runs that change a repository and run a pod, by connections that are kept here; and agents that take no actions. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';
import { openPostgresDatabase } from '../../server/platform/db/postgres-database.ts';
import { createMigratedPostgres } from '../../server/platform/db/test-databases.ts';
import { GIT_PASSWORD, startGitServer } from '../../server/playbooks/actions/testing/git-server.ts';
import type { GitServer } from '../../server/playbooks/actions/testing/git-server.ts';
import { startPodCluster } from '../../server/playbooks/actions/testing/pod-cluster.ts';
import type { PodCluster } from '../../server/playbooks/actions/testing/pod-cluster.ts';
import { addPlaybook, playbookSetting, runWhen } from './support/playbook-setting.ts';
import type { PlaybookSetting } from './support/playbook-setting.ts';

const WAIT = 120_000;
const PATH = '/acme/shop.git';
let db: Database;
let setting: PlaybookSetting;
let git: GitServer;
let cluster: PodCluster;

beforeAll(async () => {
  const url = await createMigratedPostgres();
  db = await openPostgresDatabase({ url, logger: pino({ level: 'silent' }) });
  [setting, git, cluster] = await Promise.all([
    playbookSetting(db, { egressAllow: ['127.0.0.1'] }),
    startGitServer(),
    startPodCluster(),
  ]);
  await git.add(PATH, { 'app.yaml': 'image: shop:1.0 # pinned\n' });
  const connect = (
    name: string,
    type: string,
    more: { url?: string; password?: string; certificate?: string },
  ) =>
    db.run('insert into connections (name, type, url, password, certificate) values ($1, $2, $3, $4, $5)', [
      name,
      type,
      more.url ?? '',
      more.password ?? '',
      more.certificate ?? '',
    ]);
  await connect('estate', 'git', { url: `${git.url}${PATH}`, password: GIT_PASSWORD });
  await connect('cluster', 'kubernetes', { certificate: cluster.kubeconfig });
}, WAIT);
afterAll(async () => {
  await setting.server.stop();
  await Promise.all([git.close(), cluster.close()]);
  await db.close();
});

const gitops = (repo: object = {}) => ({
  name: 'release',
  gitops: {
    repo: { connection: 'connection://default/estate', ...repo },
    commit: { message: 'Release {{.params.version}}' },
    patches: [{ path: 'app.yaml', yq: '.image = "shop:{{.params.version}}"' }],
  },
});
const pod = (name: string) => ({
  name: 'check',
  pod: {
    name,
    connection: 'connection://cluster',
    artifacts: [{ path: '/dev/stdout' }],
    spec: {
      containers: [
        {
          name: 'job',
          image: 'busybox',
          args: [
            '{{ (getAction "release").result.commit }}',
            '{{ .git.url }} {{ .git.branch }} {{ .git.commit }}',
          ],
        },
      ],
    },
  },
});
const parameters = [{ name: 'version' }];

it(
  'a run changes a repository, checks it with a pod, and keeps what both wrote; no secret is in it',
  async () => {
    cluster.scripts = { job: { lines: ['checked\n', `${GIT_PASSWORD}\n`], exitCode: 0 } };
    const id = await addPlaybook(db, 'release', { parameters, actions: [gitops(), pod('check')] });
    const run = await runWhen(db, await setting.press(id, { params: { version: '2.0' } }));
    expect(run).toMatchObject({
      status: 'completed',
      actions: [
        { result: { branch: 'main', changed: ['app.yaml'], links: [] } },
        { result: { Logs: expect.stringContaining('checked\n') as string } },
      ],
    });
    expect(await git.git(PATH, 'show', 'main:app.yaml')).toBe('image: shop:2.0 # pinned\n');
    expect(await git.git(PATH, 'log', '-1', '--format=%an|%s', 'main')).toBe('Holdfast|Release 2.0\n');
    const commit = (await git.git(PATH, 'rev-parse', 'main')).trim();
    expect(cluster.made[0]?.spec.containers[0]?.args).toEqual([commit, `${git.url}${PATH} main ${commit}`]);
    const { pieces } = await setting.output(run.id);
    expect(pieces.map(({ content }) => content).join('')).toMatch(/reading main\n.*pushed .*checked\n/s);
    const list = await setting.editor.browser.get(`/api/artifacts/list/playbook_run/${run.id}`);
    const [file] = z.array(z.object({ id: z.string(), filename: z.string() })).parse(await list.json());
    const download = await setting.editor.browser.get(`/api/artifacts/download/${file?.id}`);
    expect([file?.filename, await download.text()]).toEqual([
      'stdout.log',
      expect.stringContaining('checked\n'),
    ]);
    expect(JSON.stringify([run.actions[0], pieces[0]])).not.toContain(GIT_PASSWORD);
  },
  WAIT,
);

it(
  'the token of a connection goes to its own host only, whatever address stands beside it',
  async () => {
    const asked = git.asked.length;
    const id = await addPlaybook(db, 'elsewhere', {
      parameters,
      actions: [gitops({ url: `http://localhost:${new URL(git.url).port}${PATH}` })],
    });
    const run = await runWhen(db, await setting.press(id, { params: { version: '3.0' } }));
    expect(run.actions[0]).toMatchObject({ status: 'failed', error: /may not be sent to localhost/ });
    expect(git.asked.length).toBe(asked);
  },
  WAIT,
);

it(
  'a cancel takes the pod away',
  async () => {
    cluster.scripts = { job: { lines: ['begun\n'], exitCode: null } };
    const own = pod('endless');
    const spec = { containers: [{ name: 'job', image: 'busybox' }] };
    const id = await addPlaybook(db, 'endless', { actions: [{ ...own, pod: { ...own.pod, spec } }] });
    const run = await setting.press(id);
    await expect
      .poll(async () => (await setting.output(run, 0, 5000)).pieces.map(({ content }) => content), {
        timeout: WAIT,
      })
      .toEqual(['begun\n']);
    expect(cluster.there.size).toBe(1);
    await setting.editor.browser.post(`/api/playbook/run/${run}/cancel`);
    expect(await runWhen(db, run)).toMatchObject({
      status: 'cancelled',
      actions: [{ status: 'failed', error: 'Cancelled', result: { Logs: 'begun\n' } }],
    });
    expect(cluster.there.size).toBe(0);
  },
  WAIT,
);

it(
  "the server's own account in a cluster is for playbooks of files only",
  async () => {
    const { connection: _connection, ...own } = pod('bare').pod;
    const id = await addPlaybook(db, 'bare', {
      actions: [{ name: 'check', pod: { ...own, spec: { containers: [{ name: 'job' }] } } }],
    });
    const run = await runWhen(db, await setting.press(id));
    expect(run.actions[0]).toMatchObject({ status: 'failed', error: /for playbooks of files only/ });
  },
  WAIT,
);
