/** For tests only: the services that the fixtures name, real ones where there are some, as shared/fixtures/loopback.json describes. */
import { Client } from 'pg';
import { createPostgresDatabase } from '../../platform/db/test-databases.ts';
import { startMariaDb } from '../../playbooks/actions/testing/mariadb.ts';
import { startJsonServer } from './json-server.ts';
import type { Asked, JsonAnswer } from './json-server.ts';
import { startTestLdap } from './ldap-server.ts';
import { startTestMongo } from './mongo-server.ts';
import { startTestRedis } from './redis-server.ts';

export interface FixtureServices {
  /** By the names of loopback.json. */
  ports: Record<string, string>;
  stop: () => Promise<void>;
}

const HITS = {
  took: 1,
  timed_out: false,
  hits: { total: { value: 1, relation: 'eq' }, hits: [{ _id: '1' }] },
};
const search = ({ url }: Asked): JsonAnswer | null =>
  url.pathname === '/index/_search' ? { body: HITS } : null;

function prometheus({ url }: Asked): JsonAnswer | null {
  if (url.pathname !== '/api/v1/query') return null;
  const query = url.searchParams.get('query') ?? '';
  const metric = query.startsWith('up')
    ? { __name__: 'up', job: 'prometheus', instance: 'localhost:9090' }
    : { __name__: 'prometheus_build_info', version: '2.42.0' };
  return {
    body: { status: 'success', data: { resultType: 'vector', result: [{ metric, value: [1, '1'] }] } },
  };
}

const alert = (alertname: string) => ({
  labels: { alertname, namespace: 'shop', pod: 'cart-0' },
  annotations: { summary: `${alertname} fires` },
  fingerprint: alertname,
  startsAt: '2026-01-01T00:00:00Z',
});
/** Knows the one filter that the fixture writes. */
function alertmanager({ url }: Asked): JsonAnswer | null {
  if (url.pathname !== '/api/v2/alerts') return null;
  const isIgnored = url.searchParams.getAll('filter').includes('alertname!~"KubeScheduler.*"');
  return { body: ['Watchdog', ...(isIgnored ? [] : ['KubeSchedulerDown'])].map(alert) };
}

/** The user of the fixtures, on the cluster of all tests. */
async function addUser(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const found = await client.query("select from pg_roles where rolname = 'postgresadmin'");
  if (found.rowCount === 0) await client.query("create role postgresadmin login password 'admin123'");
  await client.end();
}

const USERS = 'ou=users,dc=example,dc=com';
const GROUPS = 'ou=groups,dc=example,dc=com';

/** Starts them on free ports. */
export async function startFixtureServices(tls: { cert: string; key: string }): Promise<FixtureServices> {
  const postgres = await createPostgresDatabase();
  await addUser(postgres);
  const mariadb = await startMariaDb();
  const servers = {
    REDIS_PORT: await startTestRedis(),
    REDIS_TLS_PORT: await startTestRedis({ tls }),
    MONGO_PORT: await startTestMongo({ user: { name: 'mongoadmin', password: 'secret' } }),
    SEARCH_PORT: await startJsonServer(search),
    PROM_PORT: await startJsonServer(prometheus),
    AM_PORT: await startJsonServer(alertmanager),
    LDAP_PORT: await startTestLdap(
      { dn: 'uid=admin,ou=system', password: 'secret' },
      { [USERS]: [`uid=a,${USERS}`], [GROUPS]: [`cn=all,${GROUPS}`] },
    ),
  };
  const own = Object.entries(servers).map(([name, { port }]) => [name, String(port)]);
  return {
    ports: {
      ...(Object.fromEntries(own) as Record<string, string>),
      PG_PORT: new URL(postgres).port,
      MYSQL_PORT: new URL(mariadb.url).port,
    },
    async stop() {
      for (const server of Object.values(servers)) server.stop();
      await mariadb.close();
    },
  };
}
