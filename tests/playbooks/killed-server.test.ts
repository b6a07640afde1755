/**
 * A server that is killed while it runs a playbook, at each of its calls of the database in turn: no action has its
 * effect twice, and none that had one is missing from the run (decision 0032).
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Queryable } from '../../server/platform/db/database.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { createSecretReader } from '../../server/health/kinds/secret-values.ts';
import { createSealer } from '../../server/platform/crypto/sealing.ts';
import { createServerGuard } from '../../server/platform/egress/server-guard.ts';
import { createChangeNotifier } from '../../server/platform/jobs/change-notifier.ts';
import { createLeases } from '../../server/platform/jobs/leases.ts';
import { nodePlatform } from '../../server/platform/platform.ts';
import { createPlaybookService } from '../../server/playbooks/running/playbook-service.ts';
import { startRun } from '../../server/playbooks/running/start-run.ts';
import { readPlaybook } from '../../server/playbooks/requests/playbook-query.ts';
import { addPlaybook, runWhen } from './support/playbook-setting.ts';
import type { TestRun } from './support/playbook-setting.ts';

const silent = pino({ level: 'silent' });
const WAIT = 300_000;
/** More calls than a run of two actions makes. */
const MOST_CALLS = 60;

class Killed extends Error {}

/** A database that answers nobody after so many calls; the last one may be done and its answer lost. */
function dyingDatabase(
  db: Database,
  calls: number,
): { db: Database; isDead: () => boolean; died: Promise<void> } {
  let left = calls;
  let tellDeath: () => void = () => undefined;
  const died = new Promise<void>((resolve) => {
    tellDeath = resolve;
  });
  const spend = () => {
    left -= 1;
    if (left >= 0) return;
    tellDeath();
    throw new Killed('killed');
  };
  const dying = (inner: Queryable): Queryable => ({
    async rows(row, sql, params) {
      spend();
      return inner.rows(row, sql, params);
    },
    async text(sql, params) {
      spend();
      return inner.text(sql, params);
    },
    async run(sql, params) {
      spend();
      return inner.run(sql, params);
    },
    async script(sql) {
      spend();
      return inner.script(sql);
    },
  });
  const wrapped: Database = {
    ...dying(db),
    kind: db.kind,
    async transaction(work) {
      spend();
      const answer = await db.transaction((tx) => work(dying(tx)));
      // Committed, and the answer is lost.
      spend();
      return answer;
    },
    asCaller: () => wrapped,
    close: () => Promise.resolve(),
  };
  return { db: wrapped, isDead: () => left < 0, died };
}

function serviceOn(db: Database) {
  const notifier = createChangeNotifier(nodePlatform);
  const leases = createLeases({ db, platform: nodePlatform, logger: silent, isAlone: true });
  const service = createPlaybookService({
    db,
    platform: nodePlatform,
    logger: silent,
    leases,
    notifier,
    notify: (...tables) => notifier.notify(...tables),
    guard: createServerGuard({ egressAllow: [], egressDeny: [], databaseUrl: null }),
    secret: createSecretReader(tmpdir()),
    sealer: createSealer(Buffer.alloc(32, 7), nodePlatform),
    isExecAllowed: true,
  });
  return { service, leases };
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

    async function killedAfter(
      calls: number,
    ): Promise<{ run: TestRun; effects: string[]; wasKilled: boolean }> {
      const file = join(folder, `effects-${calls}`);
      const playbookId = await addPlaybook(db, `killed after ${calls}`, {
        actions: [
          { name: 'first', exec: { script: `echo first >> ${file}; echo done` } },
          { name: 'second', exec: { script: `echo second >> ${file}` } },
        ],
      });
      const dying = dyingDatabase(db, calls);
      const first = serviceOn(dying.db);
      const playbook = await readPlaybook(db, playbookId);
      if (playbook === null) throw new Error('no playbook');
      const started = await startRun(
        { playbook, target: null, params: {}, person: null },
        {
          db,
          expressions: first.service.expressions,
          newId: () => nodePlatform.newId(),
          now: () => nodePlatform.now(),
          secret: (sizeBytes) => nodePlatform.secret(sizeBytes),
        },
      );
      await first.service.start();
      const isOver = runWhen(db, started.id, ({ status }) => status === 'completed' || dying.isDead());
      await Promise.race([dying.died, isOver]);
      // A script that runs when its server is killed goes on, and ends.
      await first.service.stop(2000);
      const second = serviceOn(db);
      await second.leases.start();
      await second.service.start();
      const run = await runWhen(db, started.id);
      await second.service.stop(2000);
      await second.leases.close();
      return { run, effects: await effectsIn(file), wasKilled: dying.isDead() };
    }

    // The calls of both engines are the same ones; one of them is tried at every one.
    const every = kind === 'pglite' ? 1 : 4;
    it(
      'no effect happens twice, and none is missing from the run',
      async () => {
        const seen = new Set<string>();
        for (let calls = 1; calls < MOST_CALLS; calls += every) {
          const { run, effects, wasKilled } = await killedAfter(calls);
          const outcome = run.actions.map(
            ({ name, status, result }) =>
              `${name} ${result?.['interrupted'] === true ? 'interrupted' : status}`,
          );
          seen.add(outcome.join(', '));
          const where = `killed at call ${calls}: ${outcome.join(', ')}; effects: ${effects.join(', ')}`;
          expect(new Set(effects).size, where).toBe(effects.length);
          for (const { name, status } of run.actions)
            if (status === 'completed') expect(effects, where).toContain(name);
          for (const name of effects)
            expect(
              run.actions.map((action) => action.name),
              where,
            ).toContain(name);
          expect(run.status, where).toBe(
            outcome.every((text) => text.endsWith('completed')) ? 'completed' : 'failed',
          );
          if (!wasKilled) break;
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
