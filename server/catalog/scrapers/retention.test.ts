import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { ingest } from './ingest/ingest.ts';
import { aChange, aFinding, aRun, anItem, later } from './ingest/testing/scraped.ts';
import { retentionRules } from './retention-rules.ts';
import { cleanCatalog } from './retention.ts';

const DAY = 24 * 60;

describe('the rules of a specification', () => {
  it('keep items that are no longer seen for a day, as long as told, or for ever', () => {
    const ageOf = (staleItemAge?: string) => retentionRules({ retention: { staleItemAge } }).staleItemAgeMs;
    expect(ageOf()).toBe(86_400_000);
    expect(ageOf('1h')).toBe(3_600_000);
    expect(ageOf('keep')).toBeNull();
    expect(retentionRules({}).errors).toEqual([]);
  });

  it('that make no sense are told by their field, and the default counts', () => {
    const rules = retentionRules({
      retention: { staleItemAge: 'soon', changes: [{ name: 'diff', age: 'x' }] },
    });
    expect(rules.errors).toEqual([
      'retention.changes[0].age: "x" is no duration; write it like 24h or 7d',
      'retention.staleItemAge: "soon" is no duration; write it like 24h or 7d',
    ]);
    expect(rules.staleItemAgeMs).toBe(86_400_000);
    expect(retentionRules({ retention: { types: 'all' } }).errors).toHaveLength(1);
  });
});

forEachDatabase((_name, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  const count = async (sql: string, id: string) =>
    (await db.rows(z.custom<{ count: number }>(), `select count(*)::integer as count from ${sql}`, [id]))[0]
      ?.count;
  const changesOf = (scraperId: string, type: string) =>
    count(
      `config_changes as change join config_items as item on item.id = change.config_id
       where item.scraper_id = $1 and change.change_type = '${type}'`,
      scraperId,
    );

  describe('the clean-up of the catalog', () => {
    it('removes old changes, resolved findings and deleted items, but nothing that an incident points at', async () => {
      const run = await aRun(db, 'ageing');
      const kept = anItem({
        externalIds: ['kept'],
        changes: [aChange({ changeType: 'Old' }), aChange({ changeType: 'Shown' })],
      });
      const gone = anItem({ externalIds: ['gone'] });
      const finding = aFinding({ analyzer: 'rule', about: { type: 'Test::Thing', externalId: 'kept' } });
      await ingest(db, run, { items: [kept, gone], changes: [], analyses: [finding] });
      const fresh = { ...anItem({ externalIds: ['kept'] }), changes: [aChange({ changeType: 'New' })] };
      await ingest(db, later(run, 2 * DAY), { items: [fresh], changes: [], analyses: [] });
      const person = await db.text(`insert into people (name) values ('A') returning id::text`);
      await db.run(
        `with incident as (
           insert into incidents (title, created_by, type, status, severity, description)
           values ('t', $1, 'availability', 'open', 'low', '') returning id
         ), hypothesis as (
           insert into hypotheses (incident_id, type, title, status, created_by)
           select id, 'root', 't', 'likely', $1 from incident returning id
         )
         insert into evidences (hypothesis_id, type, description, created_by, config_change_id)
         select hypothesis.id, 'config_change', '', $1,
           (select change.id from config_changes as change join config_items as item on item.id = change.config_id
            where change.change_type = 'Shown' and item.scraper_id = $2) from hypothesis`,
        [person, run.scraperId],
      );
      const soon = await cleanCatalog(db, () => later(run, 3 * DAY).now);
      expect(soon).toEqual({ changes: 0, findings: 0, items: 0, retired: 0 });
      const late = await cleanCatalog(db, () => later(run, 61 * DAY).now);
      expect(late).toEqual({ changes: 1, findings: 1, items: 1, retired: 0 });
      expect(await changesOf(run.scraperId, 'Old')).toBe(0);
      expect(await changesOf(run.scraperId, 'Shown')).toBe(1);
      expect(await changesOf(run.scraperId, 'New')).toBe(1);
      const [job] = await db.rows(
        z.custom<{ status: string; success_count: number; details: unknown }>(),
        `select status, success_count, details from job_history where name = 'CatalogRetention' order by id desc limit 1`,
      );
      expect(job).toEqual({
        status: 'SUCCESS',
        success_count: 3,
        details: { summary: { changes: 1, findings: 1, items: 1, retired: 0 } },
      });
    });

    it('follows the rules of a scraper for its own changes and types', async () => {
      const run = await aRun(db, 'own rules');
      await db.run(`update config_scrapers set spec = $2::jsonb where id = $1`, [
        run.scraperId,
        {
          retention: {
            changes: [
              { name: 'Rare', count: 2 },
              { name: 'Short', age: '1h' },
            ],
            types: [
              { name: 'Test::Job', createdAge: '1d', deletedAge: '1d' },
              { name: 'Test::Other', updatedAge: '-1h' },
            ],
          },
        },
      ]);
      const at = (minutes: number) => later(run, minutes).now;
      const rare = [0, 120, 240].map((minutes) => aChange({ changeType: 'Rare', createdAt: at(minutes) }));
      const short = [0, 230].map((minutes) => aChange({ changeType: 'Short', createdAt: at(minutes) }));
      const job = anItem({ externalIds: ['job'], type: 'Test::Job', createdAt: at(-2 * DAY) });
      const thing = anItem({ externalIds: ['thing'], changes: [...rare, ...short] });
      await ingest(db, run, { items: [job, thing], changes: [], analyses: [] });
      expect(await cleanCatalog(db, () => at(240))).toMatchObject({ changes: 2, retired: 1, items: 0 });
      expect(await changesOf(run.scraperId, 'Rare')).toBe(2);
      expect(await changesOf(run.scraperId, 'Short')).toBe(1);
      expect(await cleanCatalog(db, () => at(240 + 2 * DAY))).toMatchObject({ items: 1 });
      expect(await count('config_items where scraper_id = $1', run.scraperId)).toBe(1);
      const [noted] = await db.rows(
        z.custom<{ status: string; details: { errors: string[] } }>(),
        `select status, details from job_history where name = 'CatalogRetention' order by id desc limit 1`,
      );
      expect(noted?.status).toBe('WARNING');
      expect(noted?.details.errors).toEqual([
        'own rules: retention.types[1].updatedAge: "-1h" is no duration; write it like 24h or 7d',
      ]);
    });
  });
});
