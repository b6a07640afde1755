/**
 * A server that is killed while it runs a playbook, at each of its calls of the database in turn, and at each step of an
 * effect elsewhere: no action has its effect twice, and none that had one is missing from the run (decision 0032).
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import type { Database } from '../../server/platform/db/database.ts';
import { openPostgresDatabase } from '../../server/platform/db/postgres-database.ts';
import { createMigratedPostgres, forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { GIT_PASSWORD, startGitServer } from '../../server/playbooks/actions/testing/git-server.ts';
import type { GitServer } from '../../server/playbooks/actions/testing/git-server.ts';
import { startPodCluster } from '../../server/playbooks/actions/testing/pod-cluster.ts';
import type { PodCluster } from '../../server/playbooks/actions/testing/pod-cluster.ts';
import { dyingDatabase } from './support/dying-database.ts';
import { endedByAnother, outcomesOf } from './support/killed-run.ts';
import { addPlaybook } from './support/playbook-setting.ts';
import { startService } from './support/services.ts';
import type { TestService } from './support/services.ts';
import type { TestRun } from './support/playbook-setting.ts';

const WAIT = 300_000;
/** More calls than a run of two actions makes. */
const MOST_CALLS = 60;

/** None twice, none missing, and the run's own word is true. */
function judge(run: TestRun, effects: readonly string[], where: string): void {
  const outcomes = outcomesOf(run);
  const told = `killed at ${where}: ${outcomes.join(', ')}; effects: ${effects.join(', ')}`;
  expect(new Set(effects).size, told).toBe(effects.length);
  const names = run.actions.map(({ name }) => name);
  for (const { name, status } of run.actions)
    if (status === 'completed') expect(effects, told).toContain(name);
  for (const name of effects) expect(names, told).toContain(name);
  const isDone = outcomes.every((text) => text.endsWith('completed'));
  expect(run.status, told).toBe(isDone ? 'completed' : 'failed');
}

forEachDatabase((kind, open) => {
  describe(`a server killed at each step on ${kind}`, () => {
    let db: Database;
    let folder: string;
    beforeAll(async () => {
      db = await open();
      folder = await mkdtemp(join(tmpdir(), 'holdfast-killed-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    const effectsIn = async (file: string) =>
      (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

    // The calls of both engines are the same ones; one of them is tried at every one.
    const every = kind === 'pglite' ? 1 : 4;
    it(
      'no effect happens twice, and none is missing from the run',
      async () => {
        const seen = new Set<string>();
        for (let calls = 1; calls < MOST_CALLS; calls += every) {
          const file = join(folder, `effects-${calls}`);
          const playbookId = await addPlaybook(db, `killed after ${calls}`, {
            actions: [
              { name: 'first', exec: { script: `echo first >> ${file}; echo done` } },
              { name: 'second', exec: { script: `echo second >> ${file}` } },
            ],
          });
          const dying = dyingDatabase(db, calls);
          const run = await endedByAnother(db, dying, playbookId);
          seen.add(outcomesOf(run).join(', '));
          judge(run, await effectsIn(file), `call ${calls}`);
          if (!dying.isDead()) break;
        }
        // It was killed under way, at both actions, and the runs say so.
        if (kind === 'pglite')
          expect([...seen].toSorted()).toEqual([
            'first completed, second completed',
            'first completed, second interrupted',
            'first interrupted',
          ]);
      },
      WAIT,
    );
  });
});

forEachDatabase((kind, open) => {
  // What differs between the engines is seen above; here it is what happens elsewhere.
  describe.runIf(kind === 'pglite')('a server killed while it changes a repository or runs a pod', () => {
    const PATH = '/acme/estate.git';
    let db: Database;
    let git: GitServer;
    let cluster: PodCluster;
    beforeAll(async () => {
      [db, git, cluster] = await Promise.all([open(), startGitServer(), startPodCluster()]);
      await git.add(PATH, { 'app.yaml': 'image: shop:1\n' });
      cluster.scripts = { job: { lines: ['looking\n'], exitCode: 0 } };
      const insert =
        'insert into connections (name, type, url, password, certificate) values ($1, $2, $3, $4, $5)';
      await db.run(insert, ['estate', 'git', `${git.url}${PATH}`, GIT_PASSWORD, '']);
      await db.run(insert, ['cluster', 'kubernetes', '', '', cluster.kubeconfig]);
    }, WAIT);
    afterAll(() => Promise.all([git.close(), cluster.close()]));

    const specOf = (step: string) => ({
      actions: [
        {
          name: 'change',
          gitops: {
            repo: { connection: 'connection://default/estate', type: 'gitea', branch: `at-${step}` },
            commit: { message: step },
            files: [{ path: `${step}.txt`, content: step }],
            pr: { title: step },
          },
        },
        {
          name: 'check',
          pod: {
            name: 'check',
            connection: 'connection://default/cluster',
            spec: { containers: [{ name: 'job', image: 'busybox' }] },
          },
        },
      ],
    });

    const STEPS = ['fetch', 'push', 'pull-request', 'create', 'follow', 'remove'] as const;
    /** Calls `kill` when the run comes to that step of its effects. */
    function at(step: (typeof STEPS)[number], kill: () => void): void {
      const when = (name: (typeof STEPS)[number]) => {
        if (name === step) kill();
      };
      git.beforeFetch = () => when('fetch');
      git.beforePush = () => Promise.resolve(when('push'));
      git.api = ({ path }) => {
        when('pull-request');
        return path.endsWith('/pulls')
          ? { status: 201, body: { number: 1, html_url: 'https://git.example.com/1' } }
          : { status: 404, body: {} };
      };
      cluster.onCall = (call) => when(call);
    }

    it.each(STEPS)(
      'at %s: no effect happens twice, and none is missing from the run',
      async (step) => {
        cluster.made.length = 0;
        const pulls = git.asked.filter(({ path }) => path.endsWith('/pulls')).length;
        const dying = dyingDatabase(db);
        at(step, dying.kill);
        const run = await endedByAnother(db, dying, await addPlaybook(db, `at ${step}`, specOf(step)));
        expect(dying.isDead()).toBe(true);
        const branch = await git
          .git(PATH, 'rev-list', '--count', `main..refs/heads/at-${step}`)
          .catch(() => '0');
        const pushes = Array.from({ length: Number(branch) }, () => 'change');
        judge(run, [...pushes, ...cluster.made.map(() => 'check')], step);
        expect(git.asked.filter(({ path }) => path.endsWith('/pulls')).length - pulls).toBeLessThanOrEqual(1);
        expect(outcomesOf(run).at(-1)).toMatch(/interrupted$/);
      },
      WAIT,
    );
  });
});

describe('a server killed while a call or a statement is under way', () => {
  let db: Database;
  let url: string;
  let service: TestService;
  beforeAll(async () => {
    url = await createMigratedPostgres();
    db = await openPostgresDatabase({ url, logger: pino({ level: 'silent' }) });
    service = await startService();
    await db.run('create table effects (name text)');
  }, WAIT);
  afterAll(async () => {
    await service.stop();
    await db.close();
  });

  /** Ends with the kill, or with the run. */
  async function killOnceAsked(isOver: AbortSignal, kill: () => void): Promise<void> {
    const asks = `select count(*)::text from pg_stat_activity where state = 'active' and query like 'with done as%'`;
    while (!isOver.aborted && (await db.text(asks)) === '0')
      await new Promise((resolve) => setTimeout(resolve, 20));
    kill();
  }

  const SPECS = {
    http: () => ({ http: { url: `${service.url}/effect`, method: 'POST', body: 'x' } }),
    notification: () => ({
      notification: { url: service.url.replace('http:', 'generic+http:'), title: 'effect', message: 'x' },
    }),
    sql: () => {
      const query = `with done as (insert into effects values ('effect')) select pg_sleep(3)`;
      return { sql: { driver: 'postgres', url, query } };
    },
  };

  it.each(['http', 'notification', 'sql'] as const)(
    '%s: it is marked as interrupted, said in words, and not done again; what tidies up after it is',
    async (kind) => {
      service.asked.length = 0;
      const dying = dyingDatabase(db);
      service.onAsked = dying.kill;
      const isOver = new AbortController();
      const watched = kind === 'sql' ? killOnceAsked(isOver.signal, dying.kill) : Promise.resolve();
      const tidy = { name: 'tidy', if: 'failure()', exec: { script: 'printf tidied' } };
      const actions = [
        { name: 'effect', ...SPECS[kind]() },
        { name: 'not run', exec: { script: 'true' } },
        tidy,
      ];
      const run = await endedByAnother(db, dying, await addPlaybook(db, `killed in ${kind}`, { actions }));
      isOver.abort();
      await watched;
      expect(dying.isDead()).toBe(true);
      expect(run.status).toBe('failed');
      expect(outcomesOf(run)).toEqual(['effect interrupted', 'tidy completed']);
      expect(run.actions[0]?.error).toMatch(
        /^Interrupted: .* It may have had its effect; it is not run again/,
      );
      // The other server did nothing of it once more.
      const rows = Number(await db.text('select count(*)::text from effects'));
      if (kind === 'sql') expect([service.asked.length, rows <= 1]).toEqual([0, true]);
      else expect(service.asked).toHaveLength(1);
    },
    WAIT,
  );
});
