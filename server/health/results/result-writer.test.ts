import { beforeAll, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { z } from 'zod';
import { recentRuns } from '../../../src/domain/check/recent-runs.ts';
import { createChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { SOLE_LEASE } from '../../platform/jobs/held-lease.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { markNotRun } from '../canaries/not-run-query.ts';
import { ageSummaries, aggregateHours, deleteOldResults, refreshSummaries } from './result-query.ts';
import type { ResultRow } from './result-query.ts';
import { createResultWriter } from './result-writer.ts';

const silent = pino({ level: 'silent' });

async function addCheck(db: Database, name: string): Promise<string> {
  const [canary] = await db.rows(
    z.custom<{ id: string }>(),
    `insert into canaries (name, namespace, spec, source) values ($1, 'default', '{}'::jsonb, 'test') returning id`,
    [name],
  );
  const [check] = await db.rows(
    z.custom<{ id: string }>(),
    `insert into checks (canary_id, type, name) values ($1, 'http', $2) returning id`,
    [canary?.id ?? '', name],
  );
  return check?.id ?? '';
}

const result = (checkId: string, secondsAgo: number, status: boolean, duration: number): ResultRow => ({
  check_id: checkId,
  time: new Date(Date.now() - secondsAgo * 1000).toISOString(),
  status,
  invalid: false,
  duration,
  message: status ? 'ok' : null,
  error: status ? null : 'refused',
  details: { code: 200 },
  next_runtime: new Date(Date.now() + 30_000).toISOString(),
});

forEachDatabase((name, open) => {
  describe(`stored results on ${name}`, () => {
    let db: Database;
    beforeAll(async () => {
      db = await open();
    });
    const writer = () =>
      createResultWriter({
        db,
        notifier: createChangeNotifier(nodePlatform),
        platform: nodePlatform,
        logger: silent,
      });
    const summaryOf = async (id: string) =>
      (
        await db.rows(
          z.custom<{
            status: string;
            uptime: { passed: number; failed: number };
            latency: { p95: number; p99: number };
          }>(),
          'select status, uptime, latency from check_summary where id = $1',
          [id],
        )
      )[0];

    it('a run that began before its check was said not to be run changes nothing of it, one that began after does', async () => {
      const id = await addCheck(db, 'not run');
      await writer().add(result(id, 60, true, 5));
      await markNotRun(db, [{ id, reason: 'nobody can' }]);
      const check = async () =>
        (
          await db.rows(
            z.custom<unknown>(),
            `select status, not_run_reason, (select count(*) from check_statuses where check_id = checks.id)::int as runs
             from checks where id = $1`,
            [id],
          )
        )[0];
      await writer().add(result(id, 30, true, 5));
      expect(await check()).toEqual({ status: null, not_run_reason: 'nobody can', runs: 1 });
      await writer().add(result(id, -30, false, 5));
      expect(await check()).toEqual({ status: 'unhealthy', not_run_reason: null, runs: 2 });
    });

    it('runs that came by another way are summed up, what the writer summed up is left alone', async () => {
      const written = await addCheck(db, 'written');
      await writer().add(result(written, 60, true, 5));
      const imported = await addCheck(db, 'imported');
      await db.run(
        `insert into check_statuses (check_id, time, status, duration)
         values ($1, now() - interval '3 hours', true, 70), ($1, now() - interval '2 hours', false, 90)`,
        [imported],
      );
      // The figures, and when it ran.
      expect(await refreshSummaries(db)).toBe(2);
      const [row] = await db.rows(
        z.custom<{ hours: number }>(),
        `select extract(epoch from now() - last_runtime)::float8 / 3600 as hours from checks where id = $1`,
        [imported],
      );
      expect(row?.hours).toBeCloseTo(2, 2);
      expect((await summaryOf(imported))?.uptime).toMatchObject({ passed: 0, failed: 1 });
      expect((await summaryOf(imported))?.latency).toMatchObject({ p95: 90 });
      expect(await refreshSummaries(db)).toBe(0);
    });

    it('a result is in the history, on the check and in its summary when add resolves', async () => {
      const id = await addCheck(db, 'one');
      const store = writer();
      await Promise.all([store.add(result(id, 20, true, 100)), store.add(result(id, 10, false, 300))]);
      const [check] = await db.rows(
        z.custom<{ status: string; last_transition_time: string | null }>(),
        'select status, last_transition_time from checks where id = $1',
        [id],
      );
      expect(check?.status).toBe('unhealthy');
      // What it was before nobody knows: a first run changes nothing.
      expect(check?.last_transition_time).toBeNull();
      expect(await summaryOf(id)).toMatchObject({
        uptime: { passed: 1, failed: 1 },
        latency: { p95: 300, p99: 300 },
      });
    });

    it('the newest thirty runs stand beside the figures, whoever stored them', async () => {
      const id = await addCheck(db, 'ring');
      await db.run(
        `insert into check_statuses (check_id, time, status, duration)
         select $1, now() - make_interval(secs => 60 + 10 * n), n % 7 <> 0, 5 from generate_series(1, 40) as n`,
        [id],
      );
      expect(await refreshSummaries(db)).toBe(2);
      const shown = async () =>
        recentRuns(await db.text('select recent_runs from feed_checks where id = $1', [id])).map(
          ({ isPassed }) => isPassed,
        );
      const before = Array.from({ length: 30 }, (_, at) => (30 - at) % 7 !== 0);
      expect(await shown()).toEqual(before);
      await writer().add(result(id, 5, false, 5));
      expect(await shown()).toEqual([...before.slice(1), false]);
    });

    it('a result that repeats waits to share a commit; one that turned, or was asked for, takes what waits along', async () => {
      const [calm, turns] = [await addCheck(db, 'calm'), await addCheck(db, 'turns')];
      let [commits, sleptMs] = [0, 0];
      const transaction: Database['transaction'] = (work) => {
        commits += 1;
        return db.transaction(work);
      };
      const sleep = (delayMs: number) => {
        sleptMs += delayMs;
        return new Promise<void>((resolve) => setImmediate(resolve));
      };
      const store = createResultWriter({
        db: { ...db, transaction },
        notifier: createChangeNotifier(nodePlatform),
        platform: { ...nodePlatform, sleep },
        logger: silent,
      });
      const waitOf = async (...adding: (() => Promise<boolean>)[]) => {
        [commits, sleptMs] = [0, 0];
        expect(await Promise.all(adding.map((add) => add()))).not.toContain(false);
        expect(commits).toBe(1);
        return sleptMs;
      };
      const ran = (id: string, secondsAgo: number, status: boolean) => () =>
        store.add(result(id, secondsAgo, status, 10), SOLE_LEASE);
      const first = await waitOf(ran(calm, 90, true), ran(turns, 90, true));
      expect(await waitOf(ran(calm, 80, true), ran(turns, 80, true))).toBeGreaterThan(4 * first);
      expect(await waitOf(ran(calm, 70, true), ran(turns, 70, false))).toBe(first);
      expect(await waitOf(() => store.add(result(calm, 60, true, 10)))).toBe(first);
      expect(await waitOf(...Array.from({ length: 20 }, (_, at) => ran(calm, 20 + at, true)))).toBe(first);
    });

    it('the same run stored twice counts once', async () => {
      const id = await addCheck(db, 'twice');
      const row = result(id, 5, true, 10);
      const store = writer();
      await store.add(row);
      await store.add(row);
      expect(await summaryOf(id)).toMatchObject({ uptime: { passed: 1, failed: 0 } });
    });

    it('an old result that arrives late does not turn the check back', async () => {
      const id = await addCheck(db, 'late');
      const store = writer();
      await store.add(result(id, 5, true, 10));
      await store.add(result(id, 60, false, 10));
      expect((await summaryOf(id))?.status).toBe('healthy');
    });

    it('a clock that was set back does not leave the check as it was until it is there again', async () => {
      const id = await addCheck(db, 'set back');
      const store = writer();
      await store.add(result(id, -3600, true, 10));
      await store.add(result(id, 5, false, 10));
      expect((await summaryOf(id))?.status).toBe('unhealthy');
    });

    it('a result of a check that is gone is left out and stops nothing', async () => {
      const id = await addCheck(db, 'alive');
      const store = writer();
      await Promise.all([
        store.add(result('018f0000-0000-0000-0000-000000000000', 1, true, 1)),
        store.add(result(id, 1, true, 1)),
      ]);
      expect((await summaryOf(id))?.status).toBe('healthy');
    });

    it('a summary counts the last hour only, and the newest run alone when that is older', async () => {
      const id = await addCheck(db, 'aged');
      const store = writer();
      await store.add(result(id, 5400, false, 70));
      expect(await summaryOf(id)).toMatchObject({ uptime: { passed: 0, failed: 1 } });
      await store.add(result(id, 1800, true, 50));
      expect(await summaryOf(id)).toMatchObject({ uptime: { passed: 1, failed: 0 }, latency: { p95: 50 } });
    });

    it('a summary that grew old is computed anew and its check is touched', async () => {
      const id = await addCheck(db, 'ageing');
      const store = writer();
      await Promise.all([store.add(result(id, 3000, false, 70)), store.add(result(id, 10, true, 70))]);
      await db.run(
        `update check_statuses set time = time - interval '20 minutes' where check_id = $1 and not status`,
        [id],
      );
      await db.run(
        `update check_status_summary set computed_at = now() - interval '5 minutes' where check_id = $1`,
        [id],
      );
      expect(await ageSummaries(db, 60_000)).toBeGreaterThan(0);
      expect(await summaryOf(id)).toMatchObject({ uptime: { passed: 1, failed: 0 } });
    });

    it('summaries that grew old are computed a hundred at a time, those first that waited longest', async () => {
      const ids: string[] = [];
      for (let at = 0; at < 103; at += 1) ids.push(await addCheck(db, `waits ${at}`));
      const store = writer();
      await Promise.all(
        ids.flatMap((id) => [store.add(result(id, 20, true, 1)), store.add(result(id, 10, true, 1))]),
      );
      await db.run(
        `update check_status_summary set computed_at = now() - make_interval(mins => 10 + waits.at::integer)
         from json_array_elements_text($1::json) with ordinality as waits(id, at) where check_id = waits.id::uuid`,
        [JSON.stringify(ids)],
      );
      expect(await ageSummaries(db, 5 * 60_000)).toBe(100);
      const left = await db.rows(
        z.strictObject({ id: z.string() }),
        `select check_id as id from check_status_summary where computed_at < now() - interval '5 minutes'`,
      );
      expect(left.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 3).toSorted());
      expect(await ageSummaries(db, 5 * 60_000)).toBe(3);
    });

    it('one that the database refuses is lost alone, and text from outside is stored whatever is in it', async () => {
      const [first, odd, last] = [
        await addCheck(db, 'b'),
        await addCheck(db, 'odd'),
        await addCheck(db, 'a'),
      ];
      const store = writer();
      const stored = await Promise.all([
        store.add({
          ...result(first, 5, true, 1),
          message: 'half \ud83d',
          details: { '\u0000': 'nul \u0000' },
        }),
        store.add(result(odd, 5, true, 2 ** 40)),
        store.add(result(last, 5, true, 1)),
      ]);
      expect(stored).toEqual([true, false, true]);
      const rows = await db.rows(
        z.custom<unknown>(),
        'select message, details from check_statuses where check_id = any($1::uuid[]) order by message desc',
        [[first, odd, last]],
      );
      expect(rows).toEqual([
        { message: 'ok', details: { code: 200 } },
        { message: 'half \ufffd', details: { '\ufffd': 'nul \ufffd' } },
      ]);
    });

    it('hourly sums count every run once, and old runs go by their retention', async () => {
      const id = await addCheck(db, 'sums');
      const store = writer();
      await Promise.all([store.add(result(id, 1, true, 10)), store.add(result(id, 2, false, 30))]);
      await aggregateHours(db);
      await aggregateHours(db);
      const sums = await db.rows(
        z.custom<{ total: number; passed: number; duration: number }>(),
        'select sum(total)::integer as total, sum(passed)::integer as passed, sum(duration)::integer as duration from check_statuses_1h where check_id = $1',
        [id],
      );
      expect(sums[0]).toEqual({ total: 2, passed: 1, duration: 40 });
      await db.run(`update check_statuses set time = time - interval '40 days' where check_id = $1`, [id]);
      await deleteOldResults(db, 30);
      expect(
        await db.rows(z.unknown(), 'select 1 as one from check_statuses where check_id = $1', [id]),
      ).toEqual([]);
    });
  });
});
