/** A small estate with a check of every sort, and short ways to ask the data API about it. */
import { pino } from 'pino';
import { createDataApi } from '../../server/replication/data-api/data-api.ts';
import type { DataApi } from '../../server/replication/data-api/data-api.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { decideTableAccess } from '../../server/access/policies/table-areas.ts';

export const NOW = Date.parse('2024-06-01T12:00:00Z');

const ESTATE = `
  insert into canaries (id, name, namespace, spec, source, created_by, created_at)
  select '11111111-1111-1111-1111-111111111111', 'shop', 'prod', '{"schedule":"@every 1m"}', 'UI', id, '2024-01-01' from people;
  insert into canaries (id, name, namespace, spec) values ('11111111-1111-1111-1111-222222222222', 'net', 'prod', '{}');
  insert into checks (id, canary_id, type, name, status, labels, spec, last_runtime, created_at) values
    ('22222222-2222-2222-2222-000000000001', '11111111-1111-1111-1111-111111111111', 'http', 'api', 'healthy',
      '{"app":"shop","tier":"web","n":1,"app.kubernetes.io/name":"front"}', '{"http":[{"url":"https://shop.example"}]}', '2024-06-01T11:30:00Z', '2024-01-01'),
    ('22222222-2222-2222-2222-000000000002', '11111111-1111-1111-1111-111111111111', 'sql', 'db', 'healthy',
      '{"app":"shop","tier":"data"}', '{}', '2024-06-01T10:00:00Z', '2024-01-02'),
    ('22222222-2222-2222-2222-000000000003', '11111111-1111-1111-1111-222222222222', 'dns', 'dns', 'unhealthy',
      '{"app":"net"}', '{"server":"9.9.9.9","query":"example.org"}', '2024-06-01T09:00:00Z', '2024-01-03'),
    ('22222222-2222-2222-2222-000000000004', '11111111-1111-1111-1111-222222222222', 'folder', 'disk', null,
      null, '{"path":"/var"}', null, '2024-01-04');
  insert into check_statuses (check_id, time, status, duration) values
    ('22222222-2222-2222-2222-000000000001', '2024-06-01T11:30:00Z', true, 120),
    ('22222222-2222-2222-2222-000000000001', '2024-06-01T11:29:00Z', false, 900);
  insert into components (id, external_id, name, status, icon) values ('33333333-3333-3333-3333-333333333333', 'shop', 'Shop', 'healthy', 'cart');
  insert into config_items (id, config_class, type, name) values ('44444444-4444-4444-4444-444444444444', 'Pod', 'Kubernetes::Pod', 'shop-pod');
  insert into check_component_relationships (component_id, check_id, canary_id) values
    ('33333333-3333-3333-3333-333333333333', '22222222-2222-2222-2222-000000000001', '11111111-1111-1111-1111-111111111111');
  insert into check_config_relationships (config_id, check_id, canary_id) values
    ('44444444-4444-4444-4444-444444444444', '22222222-2222-2222-2222-000000000001', '11111111-1111-1111-1111-111111111111');
`;

export interface Opened {
  api: DataApi;
  /** Tables that were reported as written. */
  written: string[];
}

/** The estate in the database, and the data API over it. */
export async function openDataApi(db: Database): Promise<Opened> {
  await db.script(ESTATE);
  const written: string[] = [];
  const api = createDataApi({
    db,
    logger: pino({ level: 'silent' }),
    now: () => NOW,
    policy: decideTableAccess,
    onWrite: (table) => written.push(table),
  });
  return { api, written };
}

export interface Got<T> {
  status: number;
  headers: Record<string, string>;
  json: T;
}
export type Get = <T = unknown>(
  table: string,
  search: string,
  headers?: Record<string, string>,
) => Promise<Got<T>>;

/** Reads tables with the rights of an admin. */
export function getFrom(api: DataApi): Get {
  return async <T>(table: string, search: string, headers: Record<string, string> = {}) => {
    const answer = await api.handle({
      method: 'GET',
      target: { kind: 'table', name: table },
      search,
      headers,
      roles: ['admin'],
    });
    return { status: answer.status, headers: answer.headers, json: JSON.parse(answer.body) as T };
  };
}
