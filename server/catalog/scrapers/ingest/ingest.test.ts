import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../../platform/db/database.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import { readCatalogSummary } from '../../search/summary-query.ts';
import { ingest } from './ingest.ts';
import { aRun, anItem, later } from './testing/scraped.ts';

const NONE = { wanted: [], refused: [] };
const SUMMARY = {
  changesSince: null,
  findingsSince: null,
  isDeletedToo: false,
  status: NONE,
  health: NONE,
  labels: new Map(),
};

const only = (items: ReturnType<typeof anItem>[]) => ({ items, changes: [], analyses: [] });

forEachDatabase((_name, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  const changesOf = (scraperId: string) =>
    db.rows(
      z.custom<{
        change_type: string;
        diff: string | null;
        patches: unknown;
        summary: string;
        source: string;
        count: number;
      }>(),
      `select change.change_type, change.diff, change.patches, change.summary, change.source, change.count
       from config_changes as change join config_items as item on item.id = change.config_id
       where item.scraper_id = $1::uuid order by change.created_at, change.change_type`,
      [scraperId],
    );

  describe('a run of a scraper', () => {
    it('stores new items, leaves the same alone and tells what changed in the others', async () => {
      const run = await aRun(db, 'first steps');
      const web = anItem({ externalIds: ['web'], config: { replicas: 1, image: 'a' }, health: 'healthy' });
      const other = anItem({ externalIds: ['db'], config: { size: 1 } });
      const first = await ingest(db, run, only([web, other]));
      expect(first.errors).toEqual([]);
      expect(first.summary['Test::Thing']).toMatchObject({ added: 2, updated: 0, unchanged: 0 });

      const again = await ingest(db, later(run, 1), only([other, web]));
      expect(again.summary['Test::Thing']).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
      expect(await changesOf(run.scraperId)).toEqual([]);

      const edited = anItem({ ...web, config: { replicas: 3, image: 'a' }, health: 'unhealthy' });
      const third = await ingest(db, later(run, 2), only([edited, other]));
      expect(third.summary['Test::Thing']).toMatchObject({ updated: 1, unchanged: 1, changes: { saved: 2 } });
      const [health, diff] = await changesOf(run.scraperId);
      expect(diff).toMatchObject({
        change_type: 'diff',
        source: 'test',
        summary: 'replicas',
        patches: { replicas: 3 },
        count: 1,
      });
      expect(diff?.diff).toContain('-  "replicas": 1\n+  "replicas": 3');
      expect(health).toMatchObject({ change_type: 'Unhealthy', source: 'config-db' });
    });

    it('costs of a report are its items’, and sums of their type; a report that says none changes none', async () => {
      const run = await aRun(db, 'bill');
      const type = 'Bill::Thing';
      const costing = (name: string, total30d: number | null) =>
        anItem({
          externalIds: [name],
          type,
          costs: total30d === null ? null : { perMinute: 0.01, total1d: 14.4, total7d: 100.8, total30d },
        });
      const sum = async () => {
        const groups = await readCatalogSummary(db, { ...SUMMARY, groupBy: ['type'], cost: '30d' });
        const found = z
          .array(z.looseObject({ type: z.string(), cost_30d: z.number().nullish() }))
          .parse(JSON.parse(groups));
        return found.find((group) => group.type === type)?.cost_30d;
      };
      await ingest(db, run, only([costing('a', 400), costing('b', 32.5), costing('c', null)]));
      expect(await sum()).toBe(432.5);
      expect(
        await db.text(`select cost_total_1d::float8::text from config_items where type = $1 limit 1`, [type]),
      ).toBe('14.4');
      await ingest(db, later(run, 1), only([costing('a', null), costing('b', 40), costing('c', 2)]));
      expect(await sum()).toBe(442);
    });
  });
});
