import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../../platform/db/database.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import type { ScrapedChange, ScrapedItem } from '../specs/scraped.ts';
import { ingest } from './ingest.ts';
import { NOON, aChange, aFinding, aRun, anItem, later } from './testing/scraped.ts';

const TYPE = 'Test::Thing';
const about = (externalId: string) => ({ type: TYPE, externalId });
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

forEachDatabase((_name, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  const rowsOf = (scraperId: string) =>
    db.rows(
      z.custom<Record<string, unknown>>(),
      `select change.external_change_id, change.change_type, change.severity, change.source, change.count,
         extract(epoch from change.created_at - $2::timestamptz)::integer / 60 as minutes
       from config_changes as change join config_items as item on item.id = change.config_id
       where item.scraper_id = $1 order by change.first_observed, change.change_type`,
      [scraperId, NOON],
    );
  const withChanges = (...changes: ScrapedChange[]) => ({
    items: [anItem({ externalIds: ['thing'] })],
    changes,
    analyses: [],
  });

  describe('changes that a source tells', () => {
    it('are stored once under their id, with a severity of their own, of their type, or info', async () => {
      const run = await aRun(db, 'external');
      const told = [
        aChange({
          changeType: 'CrashLoopBackOff',
          externalChangeId: '1',
          details: { reason: 'a' },
          createdAt: at(-3),
        }),
        aChange({
          changeType: 'Pulled',
          externalChangeId: '2',
          details: { reason: 'b' },
          createdAt: at(-2),
          source: 'events',
        }),
        aChange({
          changeType: 'Said',
          externalChangeId: '3',
          details: { reason: 'c' },
          createdAt: at(-1),
          severity: 'ERROR',
        }),
      ].map((change) => ({ ...change, about: about('thing') }));
      const first = await ingest(db, run, withChanges(...told));
      expect(first.summary[TYPE]?.changes).toEqual({ saved: 3, deduplicated: 0, orphaned: 0, ignored: 0 });
      const again = await ingest(db, later(run, 5), withChanges(...told.toReversed()));
      expect(again.summary[TYPE]?.changes).toEqual({ saved: 0, deduplicated: 0, orphaned: 0, ignored: 0 });
      const seen = { count: 1 };
      expect(await rowsOf(run.scraperId)).toMatchObject([
        { ...seen, change_type: 'CrashLoopBackOff', severity: 'high', source: 'test', minutes: -3 },
        { ...seen, change_type: 'Pulled', severity: 'info', source: 'events' },
        { ...seen, change_type: 'Said', severity: 'high' },
      ]);
    });

    it('are counted orphaned without an item and ignored when told so or too old', async () => {
      const run = await aRun(db, 'strays');
      const { summary } = await ingest(
        db,
        run,
        withChanges(
          aChange({ changeType: 'X', about: about('nobody') }),
          aChange({ changeType: 'X', about: about('thing'), action: 'ignore' }),
          aChange({ changeType: 'X', about: about('thing'), createdAt: at(-61 * 24 * 60) }),
        ),
      );
      expect(summary[TYPE]?.changes).toEqual({ saved: 0, deduplicated: 0, orphaned: 1, ignored: 2 });
    });

    it('never land on an item of another scraper, whatever they call it', async () => {
      const theirs = await aRun(db, 'owner of the item');
      await ingest(db, theirs, { items: [anItem({ externalIds: ['remote'] })], changes: [], analyses: [] });
      const run = await aRun(db, 'teller');
      const told = [about('remote'), { type: '', externalId: 'remote' }].map((ref) =>
        aChange({ changeType: 'Login', about: ref }),
      );
      const { summary } = await ingest(db, run, { items: [], changes: told, analyses: [] });
      expect(await rowsOf(theirs.scraperId)).toEqual([]);
      expect(Object.values(summary).map(({ changes }) => changes.orphaned)).toEqual([1, 1]);
    });

    it('land on the own item that their id names, where they say no type', async () => {
      const run = await aRun(db, 'own by id');
      const change = aChange({ changeType: 'Login', about: { type: '', externalId: 'thing' } });
      const { summary } = await ingest(db, run, withChanges(change));
      expect(await rowsOf(run.scraperId)).toMatchObject([{ change_type: 'Login' }]);
      expect(summary[TYPE]?.changes.saved).toBe(1);
    });

    it('that delete an item do so once, and it lives again when it is seen again', async () => {
      const run = await aRun(db, 'deleting');
      const deleted = aChange({
        changeType: 'Terminate',
        externalChangeId: 't',
        about: about('thing'),
        action: 'delete',
      });
      await ingest(db, run, withChanges());
      const gone = await ingest(db, later(run, 1), { items: [], changes: [deleted], analyses: [] });
      expect(gone.summary[TYPE]?.deleted).toBe(1);
      const stateOf = () =>
        db.rows(
          z.unknown(),
          `select delete_reason, deleted_at is null as is_live from config_items where scraper_id = $1`,
          [run.scraperId],
        );
      expect(await stateOf()).toEqual([{ delete_reason: 'FROM_ATTRIBUTE', is_live: false }]);
      const back = await ingest(db, later(run, 2), withChanges(deleted));
      expect(back.summary[TYPE]).toMatchObject({ added: 0, updated: 1, deleted: 0 });
      expect(await stateOf()).toEqual([{ delete_reason: null, is_live: true }]);
    });
  });

  describe('the same happening again', () => {
    const event = (id: string, minutes: number, message = `Back-off 5m${minutes + 100}s restarting`) =>
      aChange({
        changeType: 'BackOff',
        externalChangeId: id,
        about: about('thing'),
        details: { message, uid: `0000000${id}-0000-4000-8000-000000000000` },
        createdAt: at(minutes),
      });

    it('within the hour is counted on the row that is there; later it is a row of its own', async () => {
      const run = await aRun(db, 'dedupe');
      await ingest(db, run, withChanges(event('1', -90)));
      const next = await ingest(db, later(run, 1), withChanges(event('2', -40), event('3', -35)));
      expect(next.summary[TYPE]?.changes).toMatchObject({ saved: 0, deduplicated: 2 });
      await ingest(db, later(run, 2), withChanges(event('4', 40), event('5', 41, 'Something else')));
      expect(await rowsOf(run.scraperId)).toMatchObject([
        { external_change_id: '1', count: 3, minutes: -35 },
        { external_change_id: '4', count: 1, minutes: 40 },
        { external_change_id: '5', count: 1 },
      ]);
      const events = [event('1', -90), event('2', -40), event('3', -35), event('4', 40)];
      const repeat = await ingest(db, later(run, 3), withChanges(...events));
      expect(repeat.summary[TYPE]?.changes).toMatchObject({ saved: 0, deduplicated: 0 });
      expect(await rowsOf(run.scraperId)).toMatchObject([{ count: 3 }, { count: 1 }, { count: 1 }]);
    });

    it('is counted alike whether it comes in one run or in several, in whatever order', async () => {
      const events = [event('1', -50), event('2', -40), event('3', -30), event('4', -5)];
      const once = await aRun(db, 'at once');
      await ingest(db, once, withChanges(...events.toReversed()));
      const bit = await aRun(db, 'bit by bit');
      for (const [minute, one] of events.entries()) await ingest(db, later(bit, minute), withChanges(one));
      expect(await rowsOf(once.scraperId)).toEqual(await rowsOf(bit.scraperId));
      expect(await rowsOf(once.scraperId)).toMatchObject([{ count: 4, minutes: -5 }]);
    });

    it('in a document counts, too, and the row shows the newest', async () => {
      const run = await aRun(db, 'again and again');
      const restarts = (count: number) => ({
        items: [anItem({ externalIds: ['pod'], config: { restarts: count } })],
        changes: [],
        analyses: [],
      });
      for (const minutes of [0, 1, 2]) await ingest(db, later(run, minutes), restarts(minutes));
      const [row] = await db.rows(
        z.custom<{ count: number; diff: string; patches: unknown }>(),
        `select change.count, change.diff, change.patches from config_changes as change
         join config_items as item on item.id = change.config_id where item.scraper_id = $1`,
        [run.scraperId],
      );
      expect(row).toMatchObject({ count: 2, patches: { restarts: 2 } });
      expect(row?.diff).toContain('-  "restarts": 1\n+  "restarts": 2');
    });
  });

  describe('what analyzers find', () => {
    const finding = (analyzer: string, summary: string | null = null) =>
      aFinding({ analyzer, summary, about: about('thing') });
    const findingsOf = (scraperId: string) =>
      db.rows(
        z.unknown(),
        `select analyzer, summary, status, extract(epoch from last_observed - $2::timestamptz)::integer / 60 as minutes
         from config_analysis where scraper_id = $1 order by analyzer, summary`,
        [scraperId, NOON],
      );
    const found = (...analyses: ReturnType<typeof finding>[]) => ({ ...withChanges(), analyses });

    it('is one row for as long as it is found, resolved by a complete run without it, and open again with it', async () => {
      const run = await aRun(db, 'findings');
      await ingest(db, run, found(finding('mfa', '3 users'), finding('cve', 'one'), finding('cve', 'two')));
      await ingest(db, later(run, 20), found(finding('mfa', '4 users'), finding('cve', 'two')));
      expect(await findingsOf(run.scraperId)).toEqual([
        { analyzer: 'cve', summary: 'one', status: 'resolved', minutes: 0 },
        { analyzer: 'cve', summary: 'two', status: 'open', minutes: 20 },
        { analyzer: 'mfa', summary: '4 users', status: 'open', minutes: 20 },
      ]);
      await ingest(db, { ...later(run, 40), isComplete: false }, found());
      expect(await findingsOf(run.scraperId)).toMatchObject([{}, { status: 'open' }, { status: 'open' }]);
      await ingest(db, later(run, 60), found(finding('cve', 'one'), finding('cve', 'two')));
      expect(await findingsOf(run.scraperId)).toMatchObject([
        { status: 'open', minutes: 60 },
        { status: 'open' },
        { status: 'resolved' },
      ]);
    });

    it('stays silenced when a person silenced it', async () => {
      const run = await aRun(db, 'silence');
      await ingest(db, run, found(finding('noise')));
      await db.run(`update config_analysis set status = 'silenced' where scraper_id = $1`, [run.scraperId]);
      await ingest(db, later(run, 30), found(finding('noise')));
      await ingest(db, later(run, 60), found());
      expect(await findingsOf(run.scraperId)).toMatchObject([{ status: 'silenced' }]);
    });
  });

  describe('items that are no longer there', () => {
    const items = (...names: string[]): { items: ScrapedItem[]; changes: []; analyses: [] } => ({
      items: names.map((name) => anItem({ externalIds: [name] })),
      changes: [],
      analyses: [],
    });
    const liveOf = async (scraperId: string) =>
      (
        await db.rows(
          z.custom<{ name: string }>(),
          `select name from config_items where scraper_id = $1 and deleted_at is null order by name`,
          [scraperId],
        )
      ).map(({ name }) => name);

    it('are deleted after a complete run that has not seen them for long enough, and revived when seen', async () => {
      const run = await aRun(db, 'vanishing');
      const day = 24 * 60;
      await ingest(db, run, items('a', 'b'));
      await ingest(db, later(run, day - 1), items('a'));
      expect(await liveOf(run.scraperId)).toEqual(['a', 'b']);
      await ingest(db, { ...later(run, day + 1), isComplete: false }, items('a'));
      await ingest(db, { ...later(run, day + 1), staleItemAgeMs: null }, items('a'));
      expect(await liveOf(run.scraperId)).toEqual(['a', 'b']);
      const { summary } = await ingest(db, later(run, day + 1), items('a'));
      expect(summary[TYPE]?.deleted).toBe(1);
      expect(await liveOf(run.scraperId)).toEqual(['a']);
      await ingest(db, later(run, day + 2), items('a', 'b'));
      expect(await liveOf(run.scraperId)).toEqual(['a', 'b']);
      expect(
        await db.text(`select count(*)::text from config_items where scraper_id = $1`, [run.scraperId]),
      ).toBe('2');
    });

    it('fire each event once', async () => {
      const run = await aRun(db, 'events');
      const both = items('x');
      await ingest(db, run, both);
      await ingest(db, later(run, 1), both);
      const ids = await db.rows(
        z.custom<{ id: string }>(),
        `select id from config_items where scraper_id = $1`,
        [run.scraperId],
      );
      const eventsOf = () =>
        db.rows(
          z.custom<{ name: string }>(),
          `select name from event_queue where properties ->> 'id' = $1 order by name`,
          [ids[0]?.id ?? ''],
        );
      expect(await eventsOf()).toEqual([{ name: 'config.created' }]);
      const edited = {
        ...both,
        items: [anItem({ externalIds: ['x'], config: { a: 1 }, health: 'unhealthy' })],
      };
      for (const minutes of [2, 3]) await ingest(db, later(run, minutes), edited);
      await ingest(db, later(run, 25 * 60), items());
      expect((await eventsOf()).map(({ name }) => name)).toEqual([
        'config.changed',
        'config.created',
        'config.deleted',
        'config.unhealthy',
        'config.updated',
      ]);
    });
  });
});
