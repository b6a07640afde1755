/**
 * Made-up health data in any number, the same for the same seed: canaries with eight checks each over namespaces,
 * teams and agents, one in twelve unhealthy, a few that never ran, with a little history. Canaries have the
 * schedule `@never`, so that the runner leaves them alone, and next runs a day ahead, so that they count as known.
 */
import type { Queryable } from './database.ts';

export interface SeedNumbers {
  checks: number;
  configs: number;
  components: number;
  seed: number;
}

const CHECKS_PER_CANARY = 8;
const STATUSES_PER_CHECK = 5;

/** A whole number from a text and the seed, in SQL; the same on every engine and machine. */
const HASH = (text: string) => `(('x' || substr(md5($2::text || ${text}), 1, 7))::bit(28)::integer)`;
const PICK = (words: string[], hash: string) =>
  `(array[${words.map((word) => `'${word}'`).join(',')}])[1 + ${hash} % ${words.length}]`;

const SERVICES = [
  'api',
  'login',
  'queue',
  'cart',
  'ledger',
  'search',
  'mailer',
  'images',
  'reports',
  'gateway',
  'billing',
  'auth',
];
const PARTS = ['health', 'login', 'list', 'write', 'export', 'database', 'cache', 'name'];
const TYPES = ['http', 'http', 'http', 'tcp', 'dns', 'icmp', 'http', 'folder'];
const NAMESPACES = [
  'storefront',
  'payments',
  'identity',
  'fulfilment',
  'discovery',
  'data',
  'messaging',
  'edge',
  'observability',
  'internal',
  'partners',
  '',
];
const TEAMS = ['checkout', 'payments', 'platform', 'logistics', 'discovery', 'data', 'growth', 'edge'];
const TIERS = ['critical', 'high', 'medium', 'low'];
const REGIONS = ['eu-west', 'eu-central', 'us-east'];

const CANARY_HASH = HASH(`'canary' || n`);
const CHECK_HASH = HASH(`'check' || n`);

const CANARIES = `
insert into canaries (id, name, namespace, spec, labels, source, agent_id)
select md5($2::text || 'canary' || n)::uuid,
  ${PICK(SERVICES, CANARY_HASH)} || '-' || lpad(n::text, 4, '0'),
  ${PICK(NAMESPACES, `(${CANARY_HASH} / 7)`)},
  '{"schedule": "@never"}'::jsonb,
  jsonb_build_object('team', ${PICK(TEAMS, `(${CANARY_HASH} / 11)`)}, 'tier', ${PICK(TIERS, `(${CANARY_HASH} / 13)`)},
    'region', ${PICK(REGIONS, `(${CANARY_HASH} / 17)`)}, 'managed-by', 'seed'),
  'seed', '00000000-0000-0000-0000-000000000000'
from generate_series(0, $1::integer) n
on conflict do nothing`;

const CHECKS = `
insert into checks (id, canary_id, type, name, namespace, description, spec, labels, owner, severity, status,
  last_runtime, next_runtime, last_transition_time, agent_id)
select md5($2::text || 'check' || n)::uuid, canaries.id, kind, service || '/' || part, canaries.namespace,
  part || ' of ' || canaries.name,
  case kind when 'tcp' then jsonb_build_object('endpoint', service || '.internal.example:5432')
    when 'dns' then jsonb_build_object('query', service || '.internal.example')
    when 'icmp' then jsonb_build_object('endpoint', service || '.internal.example')
    when 'folder' then jsonb_build_object('path', '/var/lib/' || service)
    else jsonb_build_object('url', 'https://' || service || '.example.com/' || part) end,
  jsonb_build_object('endpoint', part), canaries.labels ->> 'team', ${PICK(TIERS, `(hash / 19)`)},
  case when hash % 97 = 0 then null when hash % 12 = 0 then 'unhealthy' else 'healthy' end,
  case when hash % 97 = 0 then null else now() - make_interval(secs => hash % 55) end,
  now() + interval '1 day',
  case when hash % 97 = 0 then null else now() - make_interval(mins => hash % 20000) end,
  canaries.agent_id
from (select n, ${CHECK_HASH} as hash, ${PICK(PARTS, `n`)} as part, ${PICK(TYPES, `n`)} as kind,
        md5($2::text || 'canary' || n / ${CHECKS_PER_CANARY})::uuid as canary
      from generate_series(0, $1::integer) n) made
join canaries on canaries.id = made.canary
cross join lateral (select split_part(canaries.name, '-', 1) || '-' || (made.n / ${CHECKS_PER_CANARY})::text as service) named
on conflict do nothing`;

const STATUSES = `
insert into check_statuses (check_id, time, status, duration, message, error)
select checks.id, checks.last_runtime - make_interval(mins => 11 * run), ok,
  5 + (('x' || substr(md5(checks.id::text || run), 1, 6))::bit(24)::integer % 900),
  case when ok then 'ok' end, case when not ok then 'connection refused' end
from checks cross join generate_series(0, $1::integer) run
cross join lateral (select case when run = 0 then checks.status = 'healthy' else checks.status = 'healthy' or run % 2 = 0 end as ok) made
where checks.last_runtime is not null and checks.canary_id in (select id from canaries where source = 'seed')
on conflict do nothing`;

const SUMMARIES = `
insert into check_status_summary (check_id, p99, p95, p50, mean, passed, failed, last_check, last_pass, last_fail)
select check_id, max(duration), max(duration), min(duration), avg(duration), count(*) filter (where status),
  count(*) filter (where not status), max(time), max(time) filter (where status), max(time) filter (where not status)
from check_statuses where check_id in (select checks.id from checks join canaries on canaries.id = canary_id where source = 'seed')
group by check_id
on conflict (check_id) do nothing`;

const CONFIGS = `
insert into config_items (id, config_class, type, name, health, status, labels, tags, external_id)
select md5($2::text || 'config' || n)::uuid, ${PICK(['Deployment', 'Pod', 'Node', 'VirtualMachine', 'Database'], 'n')},
  'Kubernetes::' || ${PICK(['Deployment', 'Pod', 'Node', 'VirtualMachine', 'Database'], 'n')},
  ${PICK(SERVICES, HASH(`'config' || n`))} || '-' || n,
  case when n % 12 = 0 then 'unhealthy' else 'healthy' end, 'Running', '{}'::jsonb,
  jsonb_build_object('cluster', ${PICK(REGIONS, 'n')}), array['seed/' || n]
from generate_series(0, $1::integer) n
on conflict do nothing`;

const COMPONENTS = `
insert into components (id, external_id, name, type, status, health)
select md5($2::text || 'component' || n)::uuid, 'seed/' || n, ${PICK(SERVICES, HASH(`'component' || n`))} || '-' || n,
  'Application', case when n % 12 = 0 then 'unhealthy' else 'healthy' end, case when n % 12 = 0 then 'unhealthy' else 'healthy' end
from generate_series(0, $1::integer) n
on conflict do nothing`;

/** Fills the database; the same numbers make the same rows, and rows that are there already stay. */
export async function seedDatabase(db: Queryable, numbers: SeedNumbers): Promise<void> {
  const { checks, configs, components, seed } = numbers;
  if (checks > 0) {
    await db.run(CANARIES, [Math.ceil(checks / CHECKS_PER_CANARY) - 1, seed]);
    await db.run(CHECKS, [checks - 1, seed]);
    await db.run(STATUSES, [STATUSES_PER_CHECK - 1]);
    await db.run(SUMMARIES);
  }
  if (configs > 0) await db.run(CONFIGS, [configs - 1, seed]);
  if (components > 0) await db.run(COMPONENTS, [components - 1, seed]);
}
