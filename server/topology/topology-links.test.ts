/** What hangs on components, and what their properties are made of, on both databases. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../platform/db/database.ts';
import { forEachDatabase } from '../platform/db/test-databases.ts';
import { linkChecks, linkTeams, sumCosts } from './jobs/link-jobs.ts';
import { topologySetting, type TopologySetting } from './testing/topology-setting.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
/** Real work on a shared machine. */
const WITHIN = { timeout: 45_000, interval: 50 };

const exec = (output: unknown) => ({
  exec: [{ name: 'list', script: `printf '%s' '${JSON.stringify(output)}'` }],
});

forEachDatabase((_kind, open) => {
  let db: Database;
  let setting: TopologySetting;

  beforeAll(async () => {
    db = await open();
    setting = await topologySetting(db, { isExecAllowed: true });
    await setting.service.start();
  });
  afterAll(() => setting.stop());

  const textOf = (sql: string, params: readonly (string | null)[] = []) => db.text(sql, [...params]);
  const item = (name: string, over: { tags?: object; cost?: number; config?: object } = {}) =>
    textOf(
      `with made as (
         insert into config_items (name, config_class, type, tags, config, cost_total_30d)
         values ($1, 'Service', 'Service', $2::jsonb, $3::jsonb, $4::numeric) returning id)
       select id::text from made`,
      [name, JSON.stringify(over.tags ?? {}), JSON.stringify(over.config ?? {}), String(over.cost ?? 0)],
    );
  const linked = (sql: string) => () => textOf(sql);
  const propertiesOf = async (topology: string, name: string) =>
    (await setting.components(topology)).find((one) => one.name === name)?.properties;

  describe('links', () => {
    test('items by their selectors, which come and go; what people linked stays; costs are their sum', async () => {
      const id = await item('billing', { cost: 10 });
      await item('billing-worker', { cost: 5 });
      const manual = await item('by-hand', { cost: 1 });
      await setting.add('linked', {
        components: [{ name: 'billing', configs: [{ name: 'billing*' }] }],
      });
      await setting.run('linked');
      const names = linked(
        `select string_agg(config_items.name, ' ' order by config_items.name) from config_component_relationships as link
         join config_items on config_items.id = link.config_id where link.deleted_at is null`,
      );
      await expect.poll(names, WITHIN).toBe('billing billing-worker');
      await db.run(
        `insert into config_component_relationships (component_id, config_id, selector_id)
         select id, $1, 'manual' from components where name = 'billing'`,
        [manual],
      );
      await setting.edit('linked', { components: [{ name: 'billing', configs: [{ name: 'billing' }] }] });
      await setting.run('linked');
      await expect.poll(names, WITHIN).toBe('billing by-hand');
      expect(await sumCosts(db)).toMatchObject({ changed: 1 });
      expect(await sumCosts(db)).toMatchObject({ changed: 0 });
      expect(await textOf(`select cost_total_30d::text from components where name = 'billing'`)).toBe(
        '11.0000',
      );
      expect(id).not.toBeNull();
    });

    test('checks that a component brings along are canaries of their own, and go with it', async () => {
      const http = (name: string) => ({
        inline: { schedule: '@every 1m', http: [{ name, url: 'http://example.com' }] },
      });
      await setting.add('inline', { components: [{ name: 'site', checks: [http('home'), http('login')] }] });
      await setting.run('inline');
      const canaries = linked(
        `select string_agg(name || ' ' || (source like 'component/%')::text, ', ' order by name) from canaries
         where deleted_at is null and source like 'component/%'`,
      );
      await expect.poll(canaries, WITHIN).toBe('site-1 true, site-2 true');
      // As the service of the checks does when it takes a canary over.
      await db.run(
        `insert into checks (canary_id, type, name, status) select id, 'http', name, 'unhealthy' from canaries where name = 'site-1'`,
      );
      await linkChecks(db, setting.expressions);
      await expect
        .poll(linked(`select health from components where name = 'site' and deleted_at is null`), WITHIN)
        .toBe('unhealthy');
      await setting.edit('inline', { components: [{ name: 'other' }] });
      await setting.run('inline');
      await expect.poll(canaries, WITHIN).toBe(null);
    });

    test('checks belong to what their own specification names: components and items, by value, label or script', async () => {
      await setting.add('checked', {
        components: [
          { name: 'till', type: 'Service' },
          { name: 'gate', type: 'Service' },
        ],
      });
      await setting.run('checked');
      await item('till-db');
      const canary = await textOf(
        `with made as (insert into canaries (name, namespace, spec, labels) values ('own', 'default', '{}', '{}') returning id)
         select id::text from made`,
      );
      const relate = (relationships: object) =>
        db.run(
          `insert into checks (canary_id, type, name, status, labels, spec) values ($1, 'http', 'ping', 'healthy',
             '{"app": "till"}', $2::jsonb) on conflict (canary_id, type, name, agent_id) do update set spec = excluded.spec`,
          [canary, JSON.stringify({ name: 'ping', relationships })],
        );
      const links = () =>
        textOf(
          `select (select string_agg(components.name, ' ' order by components.name) from check_component_relationships as link
               join components on components.id = component_id join checks on checks.id = check_id
               where link.deleted_at is null and checks.name = 'ping')
             || ' / ' || coalesce((select string_agg(config_items.name, ' ') from check_config_relationships as link
               join config_items on config_items.id = config_id where link.deleted_at is null), '-')`,
        );
      await relate({
        components: [
          { name: { label: 'app' }, type: { value: 'Service' } },
          { name: 'gate' },
          { name: { label: 'none' } },
        ],
        configs: [{ name: { expr: 'check.labels.app + "-db"' } }],
      });
      // The service links by its own clock, too: what it read before a change may be written after it.
      const linkedAnew = async () => {
        const { changed, errors } = await linkChecks(db, setting.expressions);
        return { changed, errors, links: await links() };
      };
      await expect.poll(linkedAnew, WITHIN).toEqual({ changed: 0, errors: [], links: 'gate till / till-db' });
      await relate({ components: [{ name: { label: 'app' } }], configs: 'all of them' });
      expect((await linkChecks(db, setting.expressions)).errors).toEqual([
        'check "ping": relationships: configs',
      ]);
      await relate({ components: [{ name: { label: 'app' } }] });
      await expect.poll(linkedAnew, WITHIN).toEqual({ changed: 0, errors: [], links: 'till / -' });
    });

    test('teams own what their specification selects', async () => {
      await setting.add('owned', {
        components: [{ name: 'pay', labels: { squad: 'money' } }, { name: 'other' }],
      });
      await setting.run('owned');
      await db.run(
        `insert into teams (name, created_by, spec) select 'money', id, '{"components": [{"labelSelector": "squad=money"}]}' from people limit 1`,
      );
      await linkTeams(db);
      const owned = linked(
        `select string_agg(components.name, ' ') from team_components join components on components.id = component_id`,
      );
      expect(await owned()).toBe('pay');
      await db.run(`update teams set spec = '{"components": [{"name": "nothing"}]}'`);
      await linkTeams(db);
      expect(await owned()).toBe(null);
    });

    test('relationships lead to what a component depends on, and to what it is part of', async () => {
      await setting.add('related', {
        components: [
          { name: 'api', type: 'Service', relationships: [{ type: 'dependsOn', ref: 'Queue/queue' }] },
          { name: 'queue', type: 'Queue', relationships: [{ type: 'subcomponentOf', ref: 'platform' }] },
          { name: 'platform', relationships: [{ type: 'dependsOn', ref: 'nowhere' }] },
        ],
      });
      expect((await setting.run('related')).errors).toEqual([
        '"platform": relationships: no component "nowhere" is found',
      ]);
      const links = linked(
        `select string_agg(parent.name || ' > ' || child.name, ', ' order by parent.name) from component_relationships as link
         join components as parent on parent.id = link.relationship_id join components as child on child.id = link.component_id
         where link.deleted_at is null and link.selector_id like 'relationship/%'`,
      );
      expect(await links()).toBe('api > queue, platform > queue');
      await setting.edit('related', { components: [{ name: 'api', type: 'Service' }] });
      await setting.run('related');
      expect(await links()).toBe(null);
    });

    test('what a lookup says to hang on its components hangs there; what it may not say is told', async () => {
      await item('till-store');
      const canary = await textOf(
        `with made as (insert into canaries (name, namespace, spec, labels) values ('of-found', 'default', '{}', '{}') returning id)
         select id::text from made`,
      );
      await db.run(
        `insert into checks (canary_id, type, name, status, labels) values ($1, 'http', 'beat', 'healthy', '{"of": "found"}')`,
        [canary],
      );
      const found = {
        name: 'found',
        selectors: [{ name: 'part-of-found' }],
        checks: [
          { selector: { labelSelector: 'of=found' } },
          { inline: { exec: [{ name: 'x', script: 'id' }] } },
        ],
        configs: [{ name: 'till-store' }],
        relationships: [{ type: 'partOf', ref: 'whole-of-found' }],
        logs: [{ name: 'till' }],
        properties: [{ name: 'p', lookup: { exec: [{ name: 'x', script: 'id' }] } }],
      };
      await setting.add('found', {
        components: [
          { name: 'list', lookup: exec([found]), logs: [{ name: 'till', type: 'theirs' }, { name: 'all' }] },
          { name: 'part-of-found' },
          { name: 'whole-of-found' },
        ],
      });
      expect((await setting.run('found')).errors).toEqual([
        'components[0].lookup: [0] "found": properties[0].lookup is left out: only a document says that',
        'components[0].lookup: [0] "found": checks[1].inline is left out: only a document brings checks of its own along',
      ]);
      await linkChecks(db, setting.expressions);
      const hanging = linked(
        `select concat_ws(' / ',
           (select string_agg(part.name, ' ') from component_relationships as link join components as part on part.id = link.component_id
             where link.relationship_id = own.id and link.deleted_at is null),
           (select string_agg(whole.name, ' ') from component_relationships as link join components as whole on whole.id = link.relationship_id
             where link.component_id = own.id and link.deleted_at is null),
           (select string_agg(checks.name, ' ') from check_component_relationships as link join checks on checks.id = link.check_id
             where link.component_id = own.id and link.deleted_at is null),
           (select string_agg(config_items.name, ' ') from config_component_relationships as link join config_items on config_items.id = link.config_id
             where link.component_id = own.id and link.deleted_at is null),
           own.log_selectors::text)
         from components as own where own.name = 'found' and own.parent_id is not null`,
      );
      await expect
        .poll(hanging, WITHIN)
        .toBe('part-of-found / whole-of-found / beat / till-store / [{"name": "till"}, {"name": "all"}]');
    });
  });

  describe('properties', () => {
    test('come from items, from what is summed up, and stay when their lookup fails', async () => {
      await item('orders', { config: { spec: { image: 'orders:1.4', replicas: 3 } } });
      const spec = (script: string) => ({
        components: [
          {
            name: 'orders',
            type: 'Service',
            properties: [
              {
                name: 'image',
                label: 'Image',
                configLookup: { config: { name: '$(.component.name)' }, field: 'spec.image' },
              },
              { name: 'replicas', configLookup: { config: { name: 'orders' }, field: 'spec.replicas' } },
              { name: 'version', lookup: { exec: [{ name: 'version', script }] } },
              { name: 'home', namespace: 'shop', text: 'Shop', url: 'https://shop.example.com' },
              { name: 'parts', summary: { expr: 'summary.healthy + summary.unhealthy' }, unit: 'parts' },
            ],
            components: [
              { name: 'one', status: 'healthy' },
              { name: 'two', status: 'unhealthy' },
            ],
          },
        ],
      });
      await setting.add('valued', spec('printf 1.4'));
      expect((await setting.run('valued')).errors).toEqual([]);
      const all = [
        { name: 'image', label: 'Image', text: 'orders:1.4' },
        { name: 'replicas', value: 3 },
        { name: 'version', text: '1.4' },
        { name: 'home', namespace: 'shop', text: 'Shop', url: 'https://shop.example.com' },
        { name: 'parts', unit: 'parts', value: 2 },
      ];
      expect(await propertiesOf('valued', 'orders')).toEqual(all);
      await setting.edit('valued', spec('exit 3'));
      expect((await setting.run('valued')).errors).toHaveLength(1);
      expect(await propertiesOf('valued', 'orders')).toEqual(expect.arrayContaining(all));
    });

    test('every value of a tag is a group of its own', async () => {
      await item('eu-1', { tags: { region: 'eu' } });
      await item('us-1', { tags: { region: 'us' } });
      await setting.add('grouped', {
        groupBy: { tag: 'region' },
        components: [
          {
            name: 'nodes of $(.group.value)',
            type: 'Nodes',
            configs: [{ tags: { region: '$(.group.value)' } }],
          },
        ],
      });
      expect((await setting.run('grouped')).errors).toEqual([]);
      expect((await setting.components('grouped')).map(({ parent, name }) => [parent, name])).toEqual([
        ['grouped', 'eu'],
        [null, 'grouped'],
        ['eu', 'nodes of eu'],
        ['us', 'nodes of us'],
        ['grouped', 'us'],
      ]);
    });

    test('for each member: children, selectors and scripts that know it', async () => {
      await setting.add('each', {
        components: [
          {
            name: 'all',
            type: 'virtual',
            lookup: exec([
              { name: 'a', labels: { zone: 'z1' }, properties: [{ name: 'ip', text: '10.0.0.1' }] },
              { name: 'b', labels: { zone: 'z2' } },
            ]),
            id: { expr: `self.labels.zone + '/' + self.name` },
            forEach: {
              components: [{ name: 'disk of $(.component.name)', type: 'Disk' }],
              selectors: [{ labelSelector: 'host={{.component.name}}' }],
              properties: [
                { name: 'address', text: '$(.properties.ip)' },
                {
                  name: 'upper',
                  lookup: {
                    exec: [
                      { name: 'name', script: 'printf x', display: { expr: 'component.name.upperAscii()' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      });
      expect((await setting.run('each')).status).toBe('SUCCESS');
      const components = await setting.components('each');
      expect(components.map(({ parent, name, external_id: id }) => [parent, name, id])).toEqual([
        ['each', 'a', 'z1/a'],
        ['each', 'b', 'z2/b'],
        ['a', 'disk of a', 'disk of a'],
        ['b', 'disk of b', 'disk of b'],
        [null, 'each', 'each'],
      ]);
      expect(await propertiesOf('each', 'a')).toEqual([
        { name: 'ip', text: '10.0.0.1' },
        { name: 'address', text: '10.0.0.1' },
        { name: 'upper', text: 'A' },
      ]);
      expect(
        await textOf(`select selectors::text from components where name = 'b' and parent_id is not null`),
      ).toContain('host=b');
    });
  });
});
