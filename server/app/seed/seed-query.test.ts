import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { subscribeEvents } from '../../platform/jobs/event-query.ts';
import { readCanary } from '../../health/documents/canary-document.ts';
import { createEstate } from './seed-estate.ts';
import { seedDatabase } from './seed-query.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';

const SIZE = {
  checks: 3000,
  configs: 100,
  components: 60,
  incidents: 40,
  changes: 200,
  jobs: 30,
  relationships: 400,
  insights: 50,
  seed: 5,
  nowMs: Date.parse('2024-06-01T12:00:00Z'),
};

test('the same seed gives the same estate, another seed another', () => {
  expect(createEstate(SIZE)).toEqual(createEstate(SIZE));
  expect(createEstate(SIZE).checks[0]).not.toEqual(createEstate({ ...SIZE, seed: 6 }).checks[0]);
});

test('the document of each canary is one that a server takes, with the checks that there are', () => {
  const { canaries, checks } = createEstate(SIZE);
  const written = canaries.flatMap(({ id, name, namespace, labels, spec }) => {
    const read = readCanary({ kind: 'Canary', metadata: { name, namespace, labels }, spec }, 'canary');
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.canary.entries.map((entry) => `${String(id)} ${entry.type} ${entry.name}`);
  });
  const seeded = checks.map(
    (check) => `${String(check['canary_id'])} ${String(check['type'])} ${String(check['name'])}`,
  );
  expect(written.toSorted()).toEqual(seeded.toSorted());
});

forEachDatabase((_name, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    // As on a database that a server has used before.
    await subscribeEvents(db, ['incident.created', 'incident.comment.added', 'incident.responder.added']);
    await seedDatabase(db, SIZE);
  });
  const count = async (sql: string) => Number(await db.text(sql));

  test('as many rows as asked for, of every kind', async () => {
    expect(await count('select count(*)::text from checks')).toBe(3000);
    expect(await count('select count(*)::text from config_items')).toBe(100);
    expect(await count('select count(*)::text from components')).toBe(60);
    expect(await count('select count(*)::text from agents')).toBe(4);
    expect(await count('select count(*)::text from incidents')).toBe(40);
    expect(await count("select count(*)::text from hypotheses where type = 'root'")).toBe(40);
    expect(await count('select count(*)::text from comments')).toBeGreaterThan(20);
    expect(await count('select count(*)::text from config_changes')).toBe(200);
    expect(await count('select count(*)::text from job_history')).toBe(30);
    expect(await count('select count(*)::text from config_relationships')).toBe(400);
    expect(await count('select count(*)::text from config_analysis')).toBe(50);
    expect(await count('select count(*)::text from check_component_relationships')).toBeGreaterThan(500);
    expect(await count('select count(*)::text from check_config_relationships')).toBeGreaterThan(500);
  });

  test('nobody is told of it', async () => {
    expect(await count('select count(*)::text from event_queue')).toBe(0);
  });

  test('about one check in twelve is unhealthy, a few are unknown', async () => {
    const share = async (status: string) =>
      (await count(`select count(*)::text from checks where status ${status}`)) / SIZE.checks;
    expect(await share("= 'unhealthy'")).toBeGreaterThan(0.06);
    expect(await share("= 'unhealthy'")).toBeLessThan(0.1);
    expect(await share('is null')).toBeGreaterThan(0.002);
  });

  test('uptime counts the hour of results, and the newest result is the status', async () => {
    expect(
      await count(
        `select count(*)::text from check_summary where status is not null and (uptime ->> 'passed')::int + (uptime ->> 'failed')::int not between 4 and 5`,
      ),
    ).toBe(0);
    const wrong = await count(`
      select count(*)::text from checks join lateral (
        select check_statuses.status from check_statuses where check_id = checks.id order by time desc limit 1
      ) as newest on true
      where newest.status <> (checks.status = 'healthy')`);
    expect(wrong).toBe(0);
  });

  test('nothing is due and nothing overdue', async () => {
    expect(await count("select count(*)::text from canaries where spec ->> 'schedule' <> '@never'")).toBe(0);
    expect(
      await count("select count(*)::text from checks where next_runtime <= '2024-06-01T20:00:00Z'"),
    ).toBe(0);
  });

  test('seeding again adds nothing', async () => {
    await seedDatabase(db, SIZE);
    expect(await count('select count(*)::text from checks')).toBe(3000);
    expect(await count('select count(*)::text from check_component_relationships')).toBeLessThan(1200);
  });
});
