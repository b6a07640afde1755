import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../../platform/db/database.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import type { ScrapedItem } from '../specs/scraped.ts';
import { ingest } from './ingest.ts';
import type { IngestRun } from './ingest.ts';
import { countLinks, prePopulate } from './testing/pre-populate.ts';
import { aRun, anItem, later } from './testing/scraped.ts';

const only = (...items: ScrapedItem[]) => ({ items, changes: [], analyses: [] });
const ref = (externalId: string) => ({ type: 'Test::Thing', externalId });

forEachDatabase((_name, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });

  /** name → names from the root to the parent. */
  const treeOf = async (scraperId: string) => {
    const rows = await db.rows(
      z.custom<{ id: string; name: string; parent_id: string | null; path: string }>(),
      `select id, name, parent_id, path from config_items where scraper_id = $1 order by name`,
      [scraperId],
    );
    const nameOf = new Map(rows.map((row) => [row.id, row.name]));
    for (const row of rows) expect(row.path.split('.').at(-1)).toBe(row.parent_id ?? '');
    return Object.fromEntries(
      rows.map(({ name, path }) => [
        name,
        path === ''
          ? ''
          : path
              .split('.')
              .map((id) => nameOf.get(id))
              .join('/'),
      ]),
    );
  };
  const linksOf = (scraperId: string) =>
    db.rows(
      z.custom<{ one: string; other: string; relation: string }>(),
      `select one.name as one, other.name as other, link.relation
       from config_relationships as link join config_items as one on one.id = link.config_id
       join config_items as other on other.id = link.related_id
       where link.deleted_at is null and one.scraper_id = $1 order by one.name, other.name, link.relation`,
      [scraperId],
    );
  const soft = (name: string, to: ScrapedItem['relationships'][number]['to'], relation = 'Uses') =>
    anItem({ externalIds: [name], relationships: [{ to, relation, direction: 'out' }] });

  describe('the tree of items', () => {
    it('hangs each item under the first of its candidates that exists, or under who calls it a child', async () => {
      const run = await aRun(db, 'tree');
      const items = [
        anItem({ externalIds: ['pod'], parents: [ref('nowhere'), ref('set')] }),
        anItem({ externalIds: ['set'], parents: [ref('deployment')] }),
        anItem({ externalIds: ['deployment'] }),
        anItem({ externalIds: ['cluster'], children: [ref('deployment')] }),
      ];
      await ingest(db, run, only(...items));
      const expected = {
        cluster: '',
        deployment: 'cluster',
        set: 'cluster/deployment',
        pod: 'cluster/deployment/set',
      };
      expect(await treeOf(run.scraperId)).toEqual(expected);
      expect((await linksOf(run.scraperId)).filter(({ relation }) => relation === 'hard')).toHaveLength(3);

      const other = await aRun(db, 'tree backwards');
      await ingest(db, other, only(...items.toReversed()));
      expect(await treeOf(other.scraperId)).toEqual(expected);
    });

    it('drops the parent that would close a circle, whatever the order, and says so', async () => {
      const circle = [
        anItem({ externalIds: ['a'], parents: [ref('c')] }),
        anItem({ externalIds: ['b'], parents: [ref('a')] }),
        anItem({ externalIds: ['c'], parents: [ref('b')] }),
        anItem({ externalIds: ['self'], parents: [ref('self')] }),
      ];
      const run = await aRun(db, 'circle');
      const { summary } = await ingest(db, run, only(...circle));
      const tree = await treeOf(run.scraperId);
      expect(Object.values(tree).filter((path) => path === '')).toHaveLength(2);
      expect(summary['Test::Thing']?.warnings).toHaveLength(1);
      const other = await aRun(db, 'circle backwards');
      await ingest(db, other, only(...circle.toReversed()));
      expect(await treeOf(other.scraperId)).toEqual(tree);
    });

    it('stores a chain of 200 items, and the next run has nothing to do', async () => {
      const run = await aRun(db, 'deep');
      const named = (at: number) => `level-${String(at).padStart(3, '0')}`;
      const chain = Array.from({ length: 200 }, (_, at) =>
        anItem({ externalIds: [named(at)], parents: at === 0 ? [] : [ref(named(at - 1))] }),
      );
      const first = await ingest(db, run, only(...chain));
      expect(first.errors).toEqual([]);
      expect(first.summary['Test::Thing']).toMatchObject({ added: 200 });
      const tree = await treeOf(run.scraperId);
      const above = Array.from({ length: 199 }, (_, at) => named(at));
      expect(tree[named(30)]).toBe(above.slice(0, 30).join('/'));
      expect(tree[named(199)]).toBe(above.slice(-60).join('/'));
      const second = await ingest(db, later(run, 1), only(...chain));
      expect(second.summary['Test::Thing']).toMatchObject({ added: 0, updated: 0, unchanged: 200 });
    });

    it('moves everything below an item that moved, also what a partial run did not see', async () => {
      const run = await aRun(db, 'moving');
      const leaf = anItem({ externalIds: ['leaf'], parents: [ref('middle')] });
      const middle = (parent: string) => anItem({ externalIds: ['middle'], parents: [ref(parent)] });
      const tops = [anItem({ externalIds: ['one'] }), anItem({ externalIds: ['two'] })];
      await ingest(db, run, only(leaf, middle('one'), ...tops));
      await ingest(db, { ...later(run, 1), isComplete: false }, only(middle('two')));
      expect(await treeOf(run.scraperId)).toMatchObject({ leaf: 'two/middle', middle: 'two' });
      await ingest(db, later(run, 2), only(leaf, anItem({ externalIds: ['middle'] }), ...tops));
      expect(await treeOf(run.scraperId)).toMatchObject({ leaf: 'middle', middle: '' });
    });

    it('finds a parent by lookup, and the next run has nothing to do', async () => {
      const run = await aRun(db, 'hard lookup');
      const child = anItem({
        externalIds: ['child'],
        relationships: [{ to: { type: 'Test::Thing', name: 'top' }, relation: 'hard', direction: 'in' }],
      });
      await ingest(db, run, only(child, anItem({ externalIds: ['top'] })));
      expect(await treeOf(run.scraperId)).toEqual({ top: '', child: 'top' });
      const again = await ingest(db, later(run, 1), only(child, anItem({ externalIds: ['top'] })));
      expect(again.summary['Test::Thing']).toMatchObject({ updated: 0, unchanged: 2 });
      expect(await treeOf(run.scraperId)).toEqual({ top: '', child: 'top' });
    });
  });

  describe('soft links', () => {
    it('are found by name, namespace, labels and external id, each part counting', async () => {
      const run = await aRun(db, 'lookups');
      const target = (name: string, namespace: string) =>
        anItem({
          externalIds: [name, `alias-${name}`],
          type: 'Test::Target',
          tags: { namespace },
          labels: { app: name, tier: 'x' },
        });
      const targets = [target('web', 'blue'), target('db', 'green')];
      const type = 'Test::Target';
      await ingest(
        db,
        run,
        only(
          ...targets,
          soft('by name', { type, name: 'web' }),
          soft('by labels', { type, labels: { app: 'db' } }),
          soft('by namespace', { type, namespace: 'blue' }),
          soft('by alias', { externalId: 'alias-db' }),
          soft('by all', { type, name: 'web', namespace: 'green' }),
        ),
      );
      expect((await linksOf(run.scraperId)).map(({ one, other }) => `${one} → ${other}`)).toEqual([
        'by alias → db',
        'by labels → db',
        'by name → web',
        'by namespace → web',
      ]);
    });

    it('stay within the own scraper unless the lookup says all', async () => {
      const theirs = await aRun(db, 'theirs');
      await ingest(db, theirs, only(anItem({ externalIds: ['shared'], type: 'Test::Shared' })));
      const run = await aRun(db, 'mine');
      const to = { type: 'Test::Shared', name: 'shared' };
      await ingest(db, run, only(soft('near', to), soft('far', { ...to, scope: 'all' })));
      expect(await linksOf(run.scraperId)).toEqual([{ one: 'far', other: 'shared', relation: 'Uses' }]);
    });

    it('end with the complete run that no longer tells them, not with a partial one', async () => {
      const run = await aRun(db, 'stale links');
      const items = [soft('from', { name: 'to' }), anItem({ externalIds: ['to'] })];
      await ingest(db, run, only(...items));
      const bare = [anItem({ externalIds: ['from'] }), anItem({ externalIds: ['to'] })];
      await ingest(db, { ...later(run, 1), isComplete: false }, only(...bare));
      expect(await linksOf(run.scraperId)).toHaveLength(1);
      await ingest(db, later(run, 2), only(...bare));
      expect(await linksOf(run.scraperId)).toEqual([]);
      await ingest(db, later(run, 3), only(...items));
      expect(await linksOf(run.scraperId)).toHaveLength(1);
    });

    it('that cannot be looked up are told', async () => {
      const run = await aRun(db, 'odd lookups');
      const { errors } = await ingest(
        db,
        run,
        only(soft('a', { namespace: 'x' }), soft('b', { name: 'x', scope: 'me' }), soft('c', { id: 'x' })),
      );
      expect(errors).toHaveLength(3);
      expect(errors.join('\n')).toMatch(/needs a type.*\n.*scope "me".*\n.*id "x"/s);
    });
  });

  describe('links that several scrapers tell (fixtures of scrapers)', () => {
    let run: IngestRun;
    let other: IngestRun;
    const service = 'App::Service';
    beforeAll(async () => {
      run = await aRun(db, 'current owner');
      other = await aRun(db, 'other owner');
    });
    const both = () => ({ scraperId: run.scraperId, otherScraperId: other.scraperId });

    it('stay while another scraper still tells them (relationships_multi_scraper_ownership)', async () => {
      const link = {
        config_external_id: 'rel-owner-parent',
        related_external_id: 'rel-owner-child',
        relation: 'Owns',
      };
      await prePopulate(db, both(), {
        configs: [
          {
            config_class: 'Service',
            type: service,
            external_id: ['rel-owner-parent'],
            config: '{"name":"rel-owner-parent"}',
          },
          {
            config_class: 'Deployment',
            type: 'App::Deployment',
            external_id: ['rel-owner-child'],
            config: '{}',
          },
        ],
        config_relationships: [
          { ...link, owner: 'current' },
          { ...link, owner: 'other' },
        ],
      });
      await ingest(db, run, only(anItem({ externalIds: ['rel-owner-parent'], type: service })));
      expect(await countLinks(db, run.scraperId)).toBe(0);
      expect(await countLinks(db, run.scraperId, true)).toBe(1);
      expect(await countLinks(db, other.scraperId)).toBe(1);
      expect(await linksOf(run.scraperId)).toEqual([
        { one: 'rel-owner-parent', other: 'rel-owner-child', relation: 'Owns' },
      ]);
    });

    it('come back for the scraper that tells them again (relationships_resurrects_current_owner)', async () => {
      const link = { config_external_id: 'deploy-web-frontend', related_external_id: 'svc-web-frontend' };
      run = await aRun(db, 'resurrecting owner');
      await prePopulate(db, both(), {
        configs: [
          {
            config_class: 'Service',
            deterministic_id: true,
            type: service,
            name: 'web-frontend',
            external_id: ['svc-web-frontend'],
            config: '{}',
          },
          {
            config_class: 'Deployment',
            type: 'App::Deployment',
            external_id: ['deploy-web-frontend'],
            config: '{}',
          },
        ],
        config_relationships: [
          { ...link, owner: 'current', deleted: true },
          { ...link, owner: 'other' },
        ],
      });
      const to = { type: 'App::Deployment', name: 'deploy-web-frontend' };
      const web = anItem({
        externalIds: ['svc-web-frontend'],
        type: service,
        relationships: [{ to, relation: '', direction: 'in' }],
      });
      const { summary } = await ingest(db, run, only(web));
      expect(summary[service]).toMatchObject({ added: 0 });
      expect(await countLinks(db, run.scraperId)).toBe(1);
      expect(await countLinks(db, run.scraperId, true)).toBe(1);
      expect(await linksOf(run.scraperId)).toHaveLength(1);
    });
  });
});
