/** The topology engine on real folders and databases: documents become components, and what becomes of them. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Database } from '../platform/db/database.ts';
import { forEachDatabase } from '../platform/db/test-databases.ts';
import { MAX_COMPONENTS } from './build/build-topology.ts';
import { topologySetting, type TopologySetting } from './testing/topology-setting.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
/** Real work on a shared machine. */
const WITHIN = { timeout: 45_000, interval: 50 };

/** A lookup that answers with these components. */
const exec = (output: unknown) => ({
  exec: [{ name: 'list', script: `printf '%s' '${JSON.stringify(output)}'` }],
});
const failing = { exec: [{ name: 'list', script: 'exit 1' }] };

/** The product's own limit takes many seconds to reach; the rule is the same. */
const LIMIT = 350;

forEachDatabase((_kind, open) => {
  let db: Database;
  let setting: TopologySetting;

  beforeAll(async () => {
    db = await open();
    setting = await topologySetting(db, {
      isExecAllowed: true,
      limits: { components: LIMIT, batchRows: 100 },
    });
    await setting.service.start();
  });
  afterAll(() => setting.stop());

  const shape = async (topology: string) =>
    (await setting.components(topology)).map(({ name, parent, type }) => [parent, type, name]);
  const idsOf = async (topology: string) =>
    new Map((await setting.components(topology)).map(({ id, name }) => [name, id]));
  const jobs = (id: string) =>
    db.rows(
      z.custom<{ status: string; details: { errors?: string[]; summary?: object } }>(),
      `select status, details from job_history where resource_id = $1 and name = 'Topology' order by time_start desc`,
      [id],
    );

  describe('building', () => {
    test('a document becomes a root and its components; again, the same rows', async () => {
      const id = await setting.add('shop', {
        type: 'Website',
        text: 'The shop',
        components: [
          { name: 'web', type: 'Service', components: [{ name: 'pod', type: 'Pod' }] },
          { name: 'db', type: 'Database', owner: 'storage', labels: { tier: 1 } },
        ],
      });
      expect(await setting.run('shop')).toMatchObject({
        status: 'SUCCESS',
        summary: { components: 4, added: 4, deleted: 0 },
      });
      expect(await shape('shop')).toEqual([
        [null, 'Website', 'The shop'],
        ['The shop', 'Database', 'db'],
        ['web', 'Pod', 'pod'],
        ['The shop', 'Service', 'web'],
      ]);
      const before = await idsOf('shop');
      expect(await setting.run('shop')).toMatchObject({ summary: { added: 0, changed: 0, deleted: 0 } });
      expect(await idsOf('shop')).toEqual(before);
      expect((await jobs(id)).map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS']);
    });

    test('what is no longer in the document is deleted, and is the same component when it comes back', async () => {
      const both = { components: [{ name: 'a' }, { name: 'b', components: [{ name: 'c' }] }] };
      await setting.add('changing', both);
      await setting.run('changing');
      const before = await idsOf('changing');
      await setting.edit('changing', { components: [{ name: 'a' }] });
      expect(await setting.run('changing')).toMatchObject({ summary: { deleted: 2 } });
      expect([...(await idsOf('changing')).keys()]).toEqual(['a', 'changing']);
      await setting.edit('changing', both);
      await setting.run('changing');
      expect(await idsOf('changing')).toEqual(before);
    });

    test('a lookup that fails takes nothing away, and is told', async () => {
      const id = await setting.add('looked-up', {
        components: [{ name: 'nodes', lookup: exec([{ name: 'n1', type: 'Node' }, { name: 'n2' }]) }],
      });
      await setting.run('looked-up');
      expect(await shape('looked-up')).toHaveLength(4);
      await setting.edit('looked-up', { components: [{ name: 'nodes', lookup: failing }, { name: 'new' }] });
      const run = await setting.run('looked-up');
      expect(run.status).toBe('WARNING');
      expect(run.errors).toEqual([expect.stringMatching(/^components\[0\]\.lookup: exec "list": .+/)]);
      expect(await shape('looked-up')).toHaveLength(5);
      expect((await jobs(id))[0]).toMatchObject({ status: 'WARNING', details: { errors: run.errors } });
      await setting.edit('looked-up', { components: [{ name: 'nodes', lookup: exec([{ name: 'n2' }]) }] });
      expect(await setting.run('looked-up')).toMatchObject({ status: 'SUCCESS', summary: { deleted: 2 } });
    });

    test('an answer that can not be read is no answer: it takes nothing away; an empty list does', async () => {
      const lookup = (output: unknown) => ({ components: [{ name: 'inventory', lookup: exec(output) }] });
      await setting.add('inventory', lookup([{ name: 'n1' }, { name: 'n2' }]));
      await setting.run('inventory');
      for (const page of ['maintenance', { message: 'maintenance' }, [{ type: 'no name' }]]) {
        await setting.edit('inventory', lookup(page));
        expect(await setting.run('inventory')).toMatchObject({ status: 'WARNING', summary: { deleted: 0 } });
      }
      await setting.edit('inventory', lookup([]));
      expect(await setting.run('inventory')).toMatchObject({ status: 'SUCCESS', summary: { deleted: 2 } });
    });

    test('what hangs on components whose lookup failed stays as they do', async () => {
      const spec = (lookup: object) => ({
        properties: [{ name: 'up', summary: { expr: 'summary.healthy' } }],
        components: [{ name: 'hosts', lookup }, { name: 'app' }],
      });
      const host = { name: 'h1', status: 'healthy', relationships: [{ ref: 'app', type: 'dependsOn' }] };
      await setting.add('gaps', spec(exec([host])));
      const seen = async () => {
        const rows = await setting.components('gaps');
        const links = await db.text(
          `select string_agg(part.name || '<' || whole.name, ',') from component_relationships as link
           join components as part on part.id = link.component_id
           join components as whole on whole.id = link.relationship_id where link.deleted_at is null
             and link.selector_id like 'relationship/%' and whole.name = 'h1'`,
        );
        return { links, rows: rows.map((one) => [one.name, one.is_leaf, one.properties]) };
      };
      await setting.run('gaps');
      const before = await seen();
      expect(before).toEqual({
        links: 'app<h1',
        rows: [
          ['app', true, null],
          ['gaps', false, [{ name: 'up', value: 1 }]],
          ['h1', true, null],
          ['hosts', false, null],
        ],
      });
      await setting.edit('gaps', spec(failing));
      expect(await setting.run('gaps')).toMatchObject({ status: 'WARNING' });
      expect(await seen()).toEqual(before);
      await setting.edit('gaps', spec(exec([{ ...host, relationships: [] }])));
      await setting.run('gaps');
      expect(await seen()).toEqual({ ...before, links: null });
    });

    test('components whose parents are in another topology are their children alone', async () => {
      await setting.add('house', { components: [{ name: 'north' }, { name: 'south' }] });
      await setting.run('house');
      const db = (parent: string) => ({ name: 'db', type: 'Db', parentLookup: { name: parent } });
      await setting.add('guests', {
        components: [
          { name: 'g', components: [db('north'), db('south')] },
          { name: 'h', components: [db('north')] },
        ],
      });
      expect(await setting.run('guests')).toMatchObject({
        status: 'WARNING',
        errors: ['"db" is under a component of another topology more than once: only the first is kept'],
      });
      const leaves = (await setting.components('guests')).map((one) => [one.parent, one.name, one.is_leaf]);
      expect(leaves).toHaveLength(5);
      expect(new Set(leaves)).toEqual(
        new Set([
          [null, 'guests', false],
          ['guests', 'g', true],
          ['guests', 'h', true],
          ['north', 'db', true],
          ['south', 'db', true],
        ]),
      );
    });

    test('two topologies that name each other make no circle', async () => {
      const spec = (name: string, parent: string) => ({
        components: [{ name, parentLookup: { name: parent } }],
      });
      await setting.add('ring-a', spec('ra', 'rb'));
      await setting.add('ring-b', spec('rb', 'ra'));
      await setting.run('ring-a');
      for (const _again of [1, 2]) {
        expect(await setting.run('ring-b')).toMatchObject({ status: 'SUCCESS' });
        expect((await setting.run('ring-a')).errors).toEqual([
          '"ra" stays in its place: the parent with name rb is under this topology itself',
        ]);
      }
      expect(await shape('ring-a')).toEqual([
        ['ring-a', null, 'ra'],
        [null, null, 'ring-a'],
      ]);
      expect(await shape('ring-b')).toEqual([
        ['ra', null, 'rb'],
        [null, null, 'ring-b'],
      ]);
    });

    test('what a lookup answers wrongly is left out, and said', async () => {
      await setting.add('odd', {
        components: [
          {
            name: 'list',
            lookup: exec([
              { name: 'good' },
              { type: 'no name' },
              'text',
              { name: 'good' },
              { name: 'x', properties: 1 },
            ]),
          },
          { name: 'text', lookup: exec('nothing') },
        ],
      });
      const { status, errors } = await setting.run('odd');
      expect(status).toBe('WARNING');
      expect(await shape('odd')).toEqual([
        ['list', null, 'good'],
        ['odd', null, 'list'],
        [null, null, 'odd'],
        ['odd', null, 'text'],
      ]);
      expect(errors).toEqual([
        expect.stringContaining('components[0].lookup: [1] is left out: name'),
        expect.stringContaining('components[0].lookup: [2] is left out'),
        expect.stringContaining('components[0].lookup: [4] is left out: properties'),
        expect.stringContaining('components[1].lookup: the output is no list of components'),
        '"good" is under "list" more than once: only the first is kept',
      ]);
    });

    test('what no row can hold is left out with all under it, and said; NUL and half characters are replaced', async () => {
      const endless = Array.from({ length: 400 }, (_, at) => String.fromCodePoint(0x4e00 + at * 7)).join('');
      await setting.add('unstorable', {
        components: [
          {
            name: 'list',
            lookup: exec([
              { name: endless + endless, components: [{ name: 'below' }] },
              { name: 'odd type', type: endless },
              { name: 'nul \u0000', description: 'half \ud83d', properties: [{ name: 'p', text: '\u0000' }] },
              { name: 'good' },
            ]),
          },
        ],
      });
      const { errors } = await setting.run('unstorable');
      expect(errors).toEqual([
        expect.stringMatching(
          /^"[^"]{50}" under "list" is left out: its name has 800 characters; at most 500/,
        ),
        '"odd type" under "list" is left out: its type has 400 characters; at most 100 are possible',
      ]);
      expect(await shape('unstorable')).toEqual([
        ['list', null, 'good'],
        ['unstorable', null, 'list'],
        ['list', null, 'nul \ufffd'],
        [null, null, 'unstorable'],
      ]);
    });

    test('as many components as may be are built, in several transactions; what is more is left out', async () => {
      expect(MAX_COMPONENTS).toBe(10_000);
      const script = `awk 'BEGIN{printf "["; for(i=0;i<${LIMIT + 50};i++) printf "%s{\\"name\\":\\"n%d\\"}", i?",":"", i; print "]"}'`;
      await setting.add('large', {
        components: [{ name: 'all', lookup: { exec: [{ name: 'list', script }] } }],
      });
      const { summary, errors } = await setting.run('large');
      expect(summary).toMatchObject({ components: LIMIT, added: LIMIT });
      expect(errors).toEqual([`more than ${LIMIT} components: the rest is left out`]);
      expect(await setting.run('large')).toMatchObject({
        summary: { components: LIMIT, added: 0, changed: 0 },
      });
      await setting.edit('large', { components: [{ name: 'all', components: [{ name: 'n7' }] }] });
      expect(await setting.run('large')).toMatchObject({ summary: { added: 0, deleted: LIMIT - 3 } });
      expect(await shape('large')).toEqual([
        ['large', null, 'all'],
        [null, null, 'large'],
        ['all', null, 'n7'],
      ]);
      await db.run(`update topologies set deleted_at = now() where name = 'large'`);
      expect(await setting.components('large')).toEqual([]);
    });

    test('a component that people hid stays hidden, unless its document says otherwise', async () => {
      await setting.add('hidden', { components: [{ name: 'a' }, { name: 'b', hidden: false }] });
      await setting.run('hidden');
      await db.run(`update components set hidden = true where name in ('a', 'b')`);
      await setting.run('hidden');
      const hidden = await db.text(
        `select string_agg(components.name, ',') from components join topologies on topologies.id = topology_id
         where topologies.name = 'hidden' and hidden`,
      );
      expect(hidden).toBe('a');
    });

    test('the place that a document or a lookup gives a component is kept with it, and follows them', async () => {
      const places = () =>
        db.text(
          `select string_agg(one.name || ' ' || coalesce(one."order"::text, '-'), ', ' order by one.name)
           from components_as_rolled_up as one join topologies on topologies.id = topology_id
           where topologies.name = 'placed'`,
        );
      const found = { lookup: exec([{ name: 'x' }, { name: 'y', order: 9 }]) };
      await setting.add('placed', {
        components: [{ name: 'a', order: 2 }, { name: 'b' }, { type: 'virtual', order: 5, ...found }],
      });
      await setting.run('placed');
      expect(await places()).toBe('a 2, b -, placed -, x 5, y 9');
      await setting.edit('placed', {
        components: [{ name: 'a' }, { name: 'b', order: 1 }, { name: 'shown', order: 5, ...found }],
      });
      await setting.run('placed');
      expect(await places()).toBe('a -, b 1, placed -, shown 5, x -, y 9');
    });

    test('a file is built when it comes, again when it changes, and gone when it goes', async () => {
      const file = (name: string) =>
        `apiVersion: canaries.flanksource.com/v1\nkind: Topology\nmetadata:\n  name: filed\nspec:\n  components:\n    - name: ${name}\n`;
      await setting.write('filed.yaml', file('one'));
      await expect
        .poll(() => shape('filed'), WITHIN)
        .toEqual([
          [null, null, 'filed'],
          ['filed', null, 'one'],
        ]);
      await setting.write('filed.yaml', file('two'));
      await expect
        .poll(() => shape('filed'), WITHIN)
        .toEqual([
          [null, null, 'filed'],
          ['filed', null, 'two'],
        ]);
      await setting.remove('filed.yaml');
      await expect.poll(() => shape('filed'), WITHIN).toEqual([]);
    });

    test('a file that is wrong says where, and what it built stays', async () => {
      const file = (component: string) =>
        `apiVersion: canaries.flanksource.com/v1\nkind: Topology\nmetadata:\n  name: broken\nspec:\n  components:\n    - ${component}\n`;
      await setting.write('broken.yaml', file('name: one'));
      await expect.poll(() => shape('broken'), WITHIN).toHaveLength(2);
      await setting.write('broken.yaml', file('nane: one'));
      const noted = () =>
        db.text(
          `select details ->> 'errors' from job_history where name = 'SyncTopology' and status = 'FAILED'`,
        );
      await expect.poll(noted, WITHIN).toContain('broken.yaml:7: spec.components[0].nane');
      expect(await shape('broken')).toHaveLength(2);
    });
  });
});
