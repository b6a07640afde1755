/**
 * The topologies of other servers, as files of this one: each is built, or says in a sentence what is not. Their public
 * addresses are replaced by a server of this machine.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startHttpBin, type TestHttp } from '../health/testing/http-bin.ts';
import type { Database } from '../platform/db/database.ts';
import { forEachDatabase } from '../platform/db/test-databases.ts';
import { topologySetting, type TopologySetting } from './testing/topology-setting.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const FOLDER = '../shared/fixtures/topologies';
const NEVER = 'schedule: "@never"';

forEachDatabase((_kind, open) => {
  let db: Database;
  let bin: TestHttp;
  let setting: TopologySetting;

  beforeAll(async () => {
    db = await open();
    bin = await startHttpBin(null);
    setting = await topologySetting(db, { egressAllow: ['loopback'] });
    for (const file of readdirSync(FOLDER)) {
      const text = readFileSync(join(FOLDER, file), 'utf8')
        .replaceAll('https://httpbin.flanksource.com', `http://127.0.0.1:${bin.port}`)
        .replaceAll(/schedule: "@every \d+m"/g, NEVER);
      await setting.write(file, text);
    }
    await db.run(
      `insert into config_items (name, config_class, type, tags, config) values
       ('config-item', 'Dummy', 'Config::Dummy', '{"tag-1": "a", "tag-2": "b"}',
         '{"spec": {"container": {"version": "v1.2.3"}}}')`,
    );
    await setting.service.start();
  });
  afterAll(async () => {
    await setting.stop();
    await bin.stop();
  });

  const names = async (topology: string, parent: string | null) =>
    (await setting.components(topology)).filter((one) => one.parent === parent).map(({ name }) => name);
  const propertiesOf = async (topology: string, name: string) =>
    (await setting.components(topology)).find((one) => one.name === name)?.properties;

  test('every file is a topology', async () => {
    const found = await db.text(
      `select string_agg(name, ' ' order by name) from topologies where deleted_at is null`,
    );
    expect(found).toBe(
      'canary-selector cluster kube-dns kubernetes-configs selector single-check test-topology-for-each ' +
        'test-topology-property-merge test-topology-with-parent-lookup',
    );
    const refused = await db.text(`select count(*)::text from job_history where status = 'FAILED'`);
    expect(refused).toBe('0');
  });

  test('for each component of a lookup: children, properties of its own lookups, items', async () => {
    expect(await setting.run('test-topology-for-each')).toMatchObject({ status: 'SUCCESS', errors: [] });
    const root = 'test-topology-for-each';
    expect(await names(root, null)).toEqual([root]);
    expect(await names(root, root)).toEqual(['component-a', 'component-b', 'component-c']);
    expect(await names(root, 'component-a')).toEqual(['Child-A', 'Child-B']);
    expect(await propertiesOf(root, 'component-c')).toEqual([
      { name: 'owner', text: 'team-b' },
      { name: 'processor', text: 'amd' },
      { name: 'company', text: 'Acme' },
      { name: 'location', text: 'Mars' },
    ]);
    const configs = await db.text(`select configs::text from components where name = 'component-b'`);
    expect(JSON.parse(configs ?? '')).toEqual([{ name: 'component-b', type: 'Service' }]);
  });

  test('properties are merged by component, by name, as a value, and from an item', async () => {
    expect(await setting.run('test-topology-property-merge')).toMatchObject({
      status: 'SUCCESS',
      errors: [],
    });
    expect(await propertiesOf('test-topology-property-merge', 'component-b')).toEqual([
      { name: 'error_percentage', min: 0, max: 100, value: 10 },
      { name: 'owner', text: 'team-b' },
      { name: 'company', text: 'Acme' },
      { name: 'location', text: 'Mars' },
      { name: 'key', text: 'value' },
      { name: 'config-key', text: 'v1.2.3' },
    ]);
  });

  test('components go to the parent that they name', async () => {
    expect(await setting.run('test-topology-with-parent-lookup')).toMatchObject({ status: 'SUCCESS' });
    const topology = 'test-topology-with-parent-lookup';
    expect(await names(topology, topology)).toEqual(['Parent-1', 'Parent-2', 'Parent-3']);
    expect(await names(topology, 'Parent-1')).toEqual(['Child-1A', 'Child-1B']);
    expect(await names(topology, 'Parent-2')).toEqual(['Child-1C', 'Child-2A', 'Child-2B']);
    expect(await names(topology, 'Parent-3')).toEqual(['Child-1D', 'Child-2C']);
    const all = await setting.components(topology);
    const child = all.find(({ name }) => name === 'Child-2C');
    const above = ['test-topology-with-parent-lookup', 'Parent-3'].map(
      (name) => all.find((one) => one.name === name)?.id,
    );
    expect(child).toMatchObject({ path: above.join('.'), is_leaf: true });
  });

  test('what needs a cluster is built without it, and says so', async () => {
    const cluster = await setting.run('cluster');
    expect(cluster.status).toBe('WARNING');
    expect(await names('cluster', 'cluster')).toEqual(['nodes', 'pods']);
    expect(cluster.errors).toContain(
      'components[0].components[0].lookup: kubernetes "k8s": kubeconfig is missing, and this server does not run in a cluster; give a kubeconfig',
    );
    const configs = await setting.run('kubernetes-configs');
    expect(configs.errors).toHaveLength(1);
    expect(await names('kubernetes-configs', 'kubernetes-configs')).toEqual(['configs']);
  });

  test('selectors and checks are kept with their components', async () => {
    for (const name of ['kube-dns', 'single-check', 'canary-selector', 'selector'])
      expect((await setting.run(name)).status).not.toBe('FAILED');
    expect((await setting.run('selector')).errors).toEqual([
      'components[1].canarySelector: is left out: this server knows no such field',
    ]);
    expect(await names('kube-dns', 'kube-dns')).toEqual(['kube-dns', 'kube-scheduler']);
    const selectors = await db.text(
      `select selectors::text from components where name = 'kube-dns' and parent_id is not null`,
    );
    expect(JSON.parse(selectors ?? '')).toEqual([{ labelSelector: 'k8s-app=kube-dns' }]);
  });
});
