import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../../platform/db/database.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import type { ScrapedItem } from '../specs/scraped.ts';
import { ingest } from './ingest.ts';
import { aChange, aFinding, aRun, anItem, later } from './testing/scraped.ts';

const only = (items: ScrapedItem[]) => ({ items, changes: [], analyses: [] });
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`key${place}`, 'x']));

function circular(): object {
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  return loop;
}

const BAD: readonly [string, Partial<ScrapedItem> & { externalIds: [string, ...string[]] }, RegExp][] = [
  ['an empty type', { externalIds: ['b'], type: ' ' }, /type is empty/],
  ['an empty external id', { externalIds: [''] }, /external id is empty/],
  ['a NUL in its document', { externalIds: ['b'], config: { a: ['x\u0000'] } }, /config\.a\.0 holds a NUL/],
  ['a NUL in its name', { externalIds: ['b'], name: 'a\u0000' }, /name holds a NUL/],
  ['a NUL in its id', { externalIds: ['b\u0000'] }, /holds a NUL/],
  ['half a character', { externalIds: ['b'], description: 'a\uD800' }, /unpaired surrogate/],
  ['a document of 10 MB', { externalIds: ['b'], config: { text: 'x'.repeat(10_000_000) } }, /split it/],
  ['a key __proto__', { externalIds: ['b'], config: JSON.parse('{"__proto__":{"a":1}}') }, /__proto__/],
  ['300 tags', { externalIds: ['b'], tags: many(300) }, /300 tags/],
  ['a document within itself', { externalIds: ['b'], config: circular() }, /circular/],
  ['an impossible time', { externalIds: ['b'], createdAt: new Date(Number.NaN) }, /createdAt is not a time/],
  ['an endless name', { externalIds: ['b'], name: 'x'.repeat(3000) }, /name is 3000 bytes/],
  [
    'a cost beyond all bounds',
    { externalIds: ['b'], costs: { perMinute: 1e15, total1d: null, total7d: null, total30d: null } },
    /costs\.perMinute/,
  ],
];

forEachDatabase((_name, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  const storedOf = (scraperId: string) =>
    db.rows(
      z.custom<Record<string, unknown>>(),
      `select id, external_id, type, config_class, name, status, health, config, labels, tags, properties, path
       from config_items where scraper_id = $1 and deleted_at is null order by id`,
      [scraperId],
    );

  describe('an item that cannot be stored', () => {
    it('is refused by name with a reason, and the others are stored', async () => {
      const run = await aRun(db, 'refusals');
      for (const [what, bad, reason] of BAD) {
        const { errors, summary } = await ingest(
          db,
          run,
          only([anItem(bad), anItem({ externalIds: ['good'] })]),
        );
        expect(errors, what).toHaveLength(1);
        expect(errors[0], what).toMatch(reason);
        expect(errors[0], what).not.toContain('\u0000');
        expect(Object.keys(summary), what).toEqual(['Test::Thing']);
      }
      expect(await storedOf(run.scraperId)).toHaveLength(1);
    });

    it('for an external id that another item of the run has is named together with that one', async () => {
      const run = await aRun(db, 'duplicates');
      const { errors } = await ingest(
        db,
        run,
        only([anItem({ externalIds: ['a', 'shared'] }), anItem({ externalIds: ['b', 'shared'] })]),
      );
      expect(errors).toEqual([
        'Test::Thing "b" was left out: Test::Thing "a" of the same run has the same external id',
      ]);
    });

    it('is left out alone when it is the database that refuses it, and what hangs under it stands on its own', async () => {
      const run = await aRun(db, 'refused by the database');
      const at = { type: 'Test::Thing', externalId: 'bad' };
      const items = [
        ...Array.from({ length: 20 }, (_, place) => anItem({ externalIds: [`good${place}`], parents: [at] })),
        // Valid for us, beyond what the database can tell of time.
        anItem({ externalIds: ['bad'], createdAt: new Date(8.64e15) }),
      ];
      const { errors, summary } = await ingest(db, run, only(items));
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatch(/^Test::Thing "bad" was left out: the database refused it/);
      expect(summary['Test::Thing']?.added).toBe(20);
      const stored = await storedOf(run.scraperId);
      expect(stored.every(({ path }) => path === '')).toBe(true);
    });

    it('is not taken for gone: it stays, with its links and findings', async () => {
      const run = { ...(await aRun(db, 'spared')), staleItemAgeMs: 0 };
      const at = { type: 'Test::Thing', externalId: 'moody' };
      const good = anItem({
        externalIds: ['moody'],
        relationships: [{ to: { name: 'other' }, relation: 'Uses', direction: 'out' }],
      });
      const other = anItem({ externalIds: ['other'] });
      await ingest(db, run, { ...only([good, other]), analyses: [aFinding({ analyzer: 'a', about: at })] });
      const { summary } = await ingest(
        db,
        later(run, 60),
        only([anItem({ ...good, tags: many(300) }), other]),
      );
      expect(summary['Test::Thing']?.deleted).toBe(0);
      const count = (sql: string) => db.text(`select count(*)::text from ${sql}`, [run.scraperId]);
      expect(await count(`config_analysis where status = 'open' and scraper_id = $1`)).toBe('1');
      expect(await count('config_relationship_scrapers where deleted_at is null and scraper_id = $1')).toBe(
        '1',
      );
    });

    const endless = randomBytes(3000).toString('base64');
    const BAD_NEWS: readonly [string, Partial<ScrapedItem>, RegExp][] = [
      ['a change with an endless type', { changes: [aChange({ changeType: endless })] }, /its type is 4000/],
      [
        'a change with an endless external id',
        { changes: [aChange({ changeType: 'Fine', externalChangeId: endless })] },
        /its external id is 4000 bytes/,
      ],
      [
        'a change in the year 200,000',
        { changes: [aChange({ changeType: 'Fine', createdAt: new Date(6e15) })] },
        /createdAt is in the year 192102/,
      ],
      [
        'a finding before Christ',
        { analyses: [aFinding({ analyzer: 'a', firstObserved: new Date(-1e14) })] },
        /firstObserved is in the year -1199/,
      ],
      [
        'an endless relation',
        { relationships: [{ to: { externalId: 'good' }, relation: endless, direction: 'out' }] },
        /its relation is 4000 bytes/,
      ],
      [
        'a relation with a NUL',
        { relationships: [{ to: { externalId: 'good' }, relation: 'a\u0000', direction: 'out' }] },
        /relation holds a NUL/,
      ],
    ];

    it('does not stop the rest of a run where it is a change, a finding or a relationship', async () => {
      const run = await aRun(db, 'bad parts');
      for (const [what, bad, reason] of BAD_NEWS) {
        const good = anItem({
          externalIds: ['good'],
          changes: [aChange({ changeType: what })],
          analyses: [aFinding({ analyzer: what })],
          relationships: [{ to: { externalId: 'odd' }, relation: what, direction: 'out' }],
        });
        const { errors, summary } = await ingest(
          db,
          run,
          only([anItem({ externalIds: ['odd'], ...bad }), good]),
        );
        expect(errors, what).toHaveLength(1);
        expect(errors[0], what).toMatch(reason);
        expect(summary['Test::Thing']?.changes.saved, what).toBe(1);
        const count = (sql: string) => db.text(`select count(*)::text from ${sql}`, [run.scraperId, what]);
        expect(await count('config_analysis where scraper_id = $1 and analyzer = $2'), what).toBe('1');
        expect(await count('config_relationships where scraper_id = $1 and relation = $2'), what).toBe('1');
      }
    });

    it('is told and left out alone, where only the database knows that it refuses it', async () => {
      const run = await aRun(db, 'refused parts');
      await db.run(`alter table config_changes add constraint odd check (summary <> 'odd') not valid`);
      await db.run(`alter table config_analysis add constraint odd check (summary <> 'odd') not valid`);
      const items = Array.from({ length: 9 }, (_, place) => {
        const summary = place === 4 ? 'odd' : 'fine';
        return anItem({
          externalIds: [`item ${place}`],
          changes: [aChange({ changeType: 'Any', summary })],
          analyses: [aFinding({ analyzer: 'a', summary })],
        });
      });
      const { errors, summary } = await ingest(db, run, only(items));
      await db.run('alter table config_changes drop constraint odd');
      await db.run('alter table config_analysis drop constraint odd');
      expect(errors).toEqual([
        expect.stringMatching(/^a change of Test::Thing "item 4" was left out: the database refused it/),
        expect.stringMatching(/^findings about Test::Thing "item 4" were left out: the database refused it/),
      ]);
      expect(summary['Test::Thing']?.changes.saved).toBe(8);
      expect(
        await db.text('select count(*)::text from config_analysis where scraper_id = $1', [run.scraperId]),
      ).toBe('8');
    });

    it('does not stop changes and findings, which are refused one by one, too', async () => {
      const run = await aRun(db, 'bad news');
      const thing = anItem({
        externalIds: ['thing'],
        changes: [
          aChange({ changeType: '' }),
          aChange({ changeType: 'Fine' }),
          aChange({ changeType: 'Bad', summary: 'a\u0000' }),
        ],
        analyses: [
          aFinding({ analyzer: '' }),
          aFinding({ analyzer: 'fine' }),
          aFinding({ analyzer: 'bad', message: '\u0000' }),
        ],
      });
      const { errors, summary } = await ingest(db, run, only([thing]));
      expect(errors).toHaveLength(4);
      expect(summary['Test::Thing']?.changes.saved).toBe(1);
    });
  });

  describe('any run', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const item = fc
      .record({
        id: word,
        type: fc.constantFrom('T::One', 'T::Two'),
        config: fc.dictionary(word, fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null))),
        tags: fc.dictionary(word, word, { maxKeys: 3 }),
        health: fc.constantFrom<ScrapedItem['health']>(null, 'healthy', 'unhealthy'),
        parent: word,
        linked: word,
      })
      .map(({ id, type, parent, linked, config, ...rest }) =>
        anItem({
          ...rest,
          type,
          externalIds: [id],
          config: JSON.parse(JSON.stringify(config).replaceAll('\\u0000', '')),
          parents: [{ type: 'T::One', externalId: parent }],
          relationships: [{ to: { externalId: linked }, relation: 'Uses', direction: 'out' }],
        }),
      );
    const run = fc.uniqueArray(item, { selector: (one) => `${one.type}${one.externalIds[0]}`, maxLength: 8 });

    // Parents may belong to any scraper: one must not find what another left.
    const retire = (id: string) =>
      db.run(`update config_scrapers set deleted_at = now() where id = $1`, [id]);

    it('twice changes nothing, and the order of its items does not matter', async () => {
      let count = 0;
      await fc.assert(
        fc.asyncProperty(run, run, async (before, after) => {
          count += 1;
          const first = await aRun(db, `run ${count}`);
          await ingest(db, first, only(before));
          await ingest(db, later(first, 1), only(after));
          const stored = await storedOf(first.scraperId);
          const again = await ingest(db, later(first, 2), only(after.toReversed()));
          for (const type of Object.values(again.summary)) {
            expect(type).toMatchObject({
              added: 0,
              updated: 0,
              deleted: 0,
              changes: { saved: 0, deduplicated: 0 },
            });
          }
          expect(await storedOf(first.scraperId)).toEqual(stored);
          await retire(first.scraperId);
          const other = await aRun(db, `run ${count} backwards`);
          await ingest(db, other, only(before.toReversed()));
          await ingest(db, later(other, 1), only(after.toReversed()));
          const bare = (rows: Record<string, unknown>[]) =>
            rows
              .map(({ id: _id, path, ...rest }) => ({ ...rest, depth: String(path).length }))
              .toSorted((one, two) => (JSON.stringify(one) < JSON.stringify(two) ? -1 : 1));
          expect(bare(await storedOf(other.scraperId))).toEqual(bare(stored));
          await retire(other.scraperId);
        }),
        { numRuns: 6, endOnFailure: true },
      );
    }, 120_000);
  });
});
