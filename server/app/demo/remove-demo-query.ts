/**
 * Takes the demo away: what can be removed softly is (the way in which anybody's rows go, so that devices hear of it),
 * its incidents go for good with what hangs on them, as when an administrator deletes them. Other rows stay.
 */
import { idRow } from '../../platform/db/row-schema.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { removeIdentity } from '../../access/identity/queries/administration-query.ts';
import { DEMO_SOURCE } from '../../../src/domain/demo.ts';
import { DEMO_MAIL_DOMAIN, demoId } from './demo-company.ts';
import { DEMO_TOPOLOGY_ID } from './demo-records.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** How many of each went. */
export type RemovedDemo = Readonly<Record<string, number>>;

/** In the order in which rows point at each other; `gone` are the ids of the demo's incidents. */
const INCIDENT_PARTS = [
  'delete from incident_histories where incident_id in (select id from gone)',
  'delete from comments where incident_id in (select id from gone)',
  `delete from evidences where hypothesis_id in
     (select id from hypotheses where incident_id in (select id from gone))`,
  'update hypotheses set parent_id = null, owner = null where incident_id in (select id from gone)',
  'delete from hypotheses where incident_id in (select id from gone)',
  'delete from responders where incident_id in (select id from gone)',
  'delete from incident_relationships where incident_id in (select id from gone) or related_id in (select id from gone)',
] as const;

/** Incidents of the demo's people, and those that its rules have opened. */
const GONE = `with gone as (
  select i.id from incidents i
  left join people p on p.id = i.created_by
  left join incident_rules r on r.id = i.incident_rule_id
  where p.email like $1 or r.source = $2)`;

const softly = (table: string, where: string) =>
  `update ${table} set deleted_at = now() where deleted_at is null and ${where}`;

async function removeIncidents(tx: Queryable): Promise<number> {
  const which = [`%@${DEMO_MAIL_DOMAIN}`, DEMO_SOURCE];
  for (const part of INCIDENT_PARTS) await tx.run(`${GONE} ${part}`, which);
  return tx.run(`${GONE} delete from incidents where id in (select id from gone)`, which);
}

const SCRAPERS = 'select scraper_id from scraper_files where file = $1';

/** History and findings of the items, unless somebody's evidence points at them; their retirement follows by trigger. */
async function removeScrapers(tx: Queryable): Promise<number> {
  const ids = `select id from config_items where scraper_id in (${SCRAPERS})`;
  const items = `config_id in (${ids})`;
  const kept = (column: string) => `id not in (select ${column} from evidences where ${column} is not null)`;
  const source = [DEMO_SOURCE];
  await tx.run(`delete from config_changes where ${items} and ${kept('config_change_id')}`, source);
  await tx.run(`delete from config_analysis where ${items} and ${kept('config_analysis_id')}`, source);
  await tx.run(softly('config_relationships', `(${items} or related_id in (${ids}))`), source);
  await tx.run(
    `delete from job_history where resource_id in
       (select scraper_id::text from scraper_files where file = $1
        union all select id::text from canaries where source = $1)`,
    source,
  );
  return tx.run(softly('config_scrapers', `id in (${SCRAPERS})`), source);
}

/** The rule and what it sent. */
async function removeNotifications(tx: Queryable): Promise<number> {
  const rule = [demoId('notification/incidents')];
  await tx.run('delete from notification_send_history where notification_id = $1', rule);
  return tx.run(softly('notifications', 'id = $1'), rule);
}

async function removePeople(tx: Queryable): Promise<number> {
  const people = await tx.rows(idRow, 'select id from people where email like $1', [`%@${DEMO_MAIL_DOMAIN}`]);
  let removed = 0;
  for (const { id } of people) removed += await removeIdentity(tx, id);
  return removed;
}

/** Removes it in one transaction. */
export function removeDemo(db: Database): Promise<RemovedDemo> {
  const playbooks = ['restart-deployment', 'scale-deployment', 'roll-back-release'];
  const ids = (kind: string, names: readonly string[]) => [
    toJson(names.map((name) => demoId(`${kind}/${name}`))),
  ];
  const oneOf = 'id in (select value::uuid from json_array_elements_text($1::json))';
  return db.transaction(async (tx) => ({
    incidents: await removeIncidents(tx),
    canaries: await tx.run(softly('canaries', 'source = $1'), [DEMO_SOURCE]),
    scrapers: await removeScrapers(tx),
    components: await tx.run(softly('components', 'topology_id = $1'), [DEMO_TOPOLOGY_ID]),
    topologies: await tx.run(softly('topologies', 'id = $1'), [DEMO_TOPOLOGY_ID]),
    rules: await tx.run(softly('incident_rules', 'source = $1'), [DEMO_SOURCE]),
    notifications: await removeNotifications(tx),
    connections: await tx.run(softly('connections', oneOf), ids('connection', ['ledger-db', 'metrics'])),
    playbooks: await tx.run(softly('playbooks', oneOf), ids('playbook', playbooks)),
    teams: await tx.run(softly('teams', 'source = $1'), [DEMO_SOURCE]),
    people: await removePeople(tx),
  }));
}
