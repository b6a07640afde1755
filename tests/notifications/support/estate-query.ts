/** For tests only: checks, components and catalog items in trees, and a week of notifications about them. */
import { z } from 'zod';
import type { Database } from '../../../server/platform/db/database.ts';

const DAY_MS = 86_400_000;
const TIERS = ['gold', 'silver', null];
const STATUSES = ['sent', 'error', 'pending', 'silenced'];
const EVENTS = {
  check: ['check.failed', 'check.passed'],
  component: ['component.unhealthy', 'component.healthy'],
  config: ['config.unhealthy', 'config.updated'],
};
const ATTEMPTS = [
  { at: '2026-01-01T00:00:00Z', millis: 120, outcome: 'The service answered 503: try again later' },
  { at: '2026-01-01T00:00:30Z', millis: 90, outcome: 'The service answered 503: try again later' },
];
const SERVICES = ['checkout', 'payments', 'search', 'orders', 'billing'];
const nameAt = (at: number, kind: string) => `${SERVICES[at % SERVICES.length] ?? ''}-${kind}-${at}`;
const idRow = z.strictObject({ id: z.string() });

/** Fills an empty database; answers the ids by kind. */
export async function fillEstate(db: Database, nowMs: number) {
  const add = async (sql: string, params: readonly (string | null)[]) =>
    (await db.rows(idRow, sql, [...params]))[0]?.id ?? '';
  const labelsAt = (at: number) => {
    const tier = TIERS[at % TIERS.length];
    return JSON.stringify(tier === null ? { zone: 'a' } : { tier, zone: at % 2 === 0 ? 'a' : 'b' });
  };
  const ids: Record<'check' | 'canary' | 'component' | 'config', string[]> = {
    check: [],
    canary: [],
    component: [],
    config: [],
  };
  const topology = await add(
    `insert into topologies (name, namespace, spec) values ('estate', 'default', '{}') returning id`,
    [],
  );
  for (let at = 0; at < 10; at += 1) {
    const parent = at === 0 ? null : (ids.component[Math.floor((at - 1) / 3)] ?? null);
    const above = parent === null ? '' : await db.text('select path from components where id = $1', [parent]);
    const path = parent === null ? '' : [above, parent].filter(Boolean).join('.');
    ids.component.push(
      await add(
        `insert into components (topology_id, external_id, name, status, type, parent_id, path, labels)
         values ($1, $2, $2, 'healthy', 'service', $3, $4, $5::jsonb) returning id`,
        [topology, nameAt(at, 'service'), parent, path, labelsAt(at)],
      ),
    );
  }
  for (let at = 0; at < 15; at += 1) {
    const parent = at < 3 ? null : (ids.config[Math.floor(at / 4)] ?? null);
    ids.config.push(
      await add(
        `insert into config_items (name, type, config_class, health, parent_id, labels, tags)
         values ($1, $2, 'Node', 'healthy', $3, $4::jsonb, '{"zone": "b"}') returning id`,
        [nameAt(at, 'node'), at % 2 === 0 ? 'Kubernetes::Node' : 'Kubernetes::Pod', parent, labelsAt(at)],
      ),
    );
  }
  for (let at = 0; at < 20; at += 1) {
    if (at % 4 === 0)
      ids.canary.push(
        await add(
          `insert into canaries (name, namespace, spec, labels) values ($1, $2, '{}', $3::jsonb) returning id`,
          [
            nameAt(at, 'canary'),
            at % 8 === 0 ? 'shop' : 'ops',
            JSON.stringify({ zone: 'c', from: 'canary' }),
          ],
        ),
      );
    const check = await add(
      `insert into checks (canary_id, type, name, status, labels) values ($1, 'http', $2, 'healthy', $3::jsonb) returning id`,
      [ids.canary.at(-1) ?? '', nameAt(at, 'check'), labelsAt(at)],
    );
    ids.check.push(check);
    if (at % 2 === 0)
      await db.run(
        `insert into check_component_relationships (check_id, component_id, canary_id, selector_id)
         values ($1, $2, $3, 'test')`,
        [check, ids.component[(at / 2) % 10] ?? '', ids.canary.at(-1) ?? ''],
      );
  }
  const rule = await add(
    `insert into notifications (events, custom_services) values ('{check.failed}', '[{"url": "https://example.org"}]')
       returning id`,
    [],
  );
  for (let at = 0; at < 300; at += 1) {
    const kind = (['check', 'component', 'config'] as const)[at % 3] ?? 'check';
    const things = ids[kind];
    const status = STATUSES[at % 7] ?? 'sent';
    await db.run(
      `insert into notification_send_history (notification_id, source_event, resource_id, status, created_at,
         recipient, error, reason, attempts)
       values ($1, $2, $3, $4, $5::timestamptz, 'ops-slack', $6, $7, $8::jsonb)`,
      [
        rule,
        EVENTS[kind][(at % 5) % 2] ?? '',
        things[(at * 7) % things.length] ?? '',
        status,
        new Date(nowMs - (at / 300) * 6.5 * DAY_MS - 60_000).toISOString(),
        status === 'error' ? 'The service answered 503: try again later' : null,
        status === 'silenced' ? 'told of within 2h' : null,
        JSON.stringify(status === 'error' ? ATTEMPTS : []),
      ],
    );
  }
  return ids;
}

type Ids = Awaited<ReturnType<typeof fillEstate>>;

/** Silences of each kind: of a component with all below, by labels at recurring hours, planned, and over. */
export async function addSilences(db: Database, ids: Ids, nowMs: number): Promise<void> {
  const at = (days: number) => new Date(nowMs + days * DAY_MS).toISOString();
  const hours = [{ start: '22:00', end: '06:00', days: ['sat', 'sun'], tz: 'Europe/Berlin' }];
  const [component = null] = ids.component;
  const [config = null] = ids.config;
  const rows = [
    [component, null, null, at(-0.1), at(0.4), 'deploy of checkout', null],
    [null, null, 'tier in (gold,silver)', at(-2), at(60), 'maintenance at weekends', JSON.stringify(hours)],
    [null, config, null, at(2), at(3), 'new disks', null],
    [null, config, null, at(-9), at(-8), 'new network', null],
  ] as const;
  for (const row of rows)
    await db.run(
      `insert into notification_silences (namespace, component_id, config_id, selector, "from", "until", description,
         recurrence, recursive, source)
       values ('', $1, $2, $3, $4::timestamptz, $5::timestamptz, $6, $7::jsonb, true, 'UI')`,
      [...row],
    );
}
