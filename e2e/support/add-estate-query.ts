/**
 * Writes an estate for the relationship graph into the database of a stopped server.
 * `npx tsx e2e/support/add-estate-query.ts DATA_DIR SIZE…` adds a cluster and a tree of each size.
 */
import { pino } from 'pino';
import type { Database } from '../../server/platform/db/database.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { openDatabase } from '../../server/platform/db/open-database.ts';
import { clusterEstate, treeEstate, type GraphEstate } from './graph-estate.ts';

const ITEMS = `
insert into config_items (id, name, type, config_class, parent_id, path, status, health, tags, labels)
  select id, name, type, config_class, parent_id, path, status, health, tags, labels
  from jsonb_populate_recordset(null::config_items, $1::jsonb)
  on conflict do nothing`;
const LINKS = `
insert into config_relationships (config_id, related_id, relation)
  select config_id, related_id, relation from jsonb_populate_recordset(null::config_relationships, $1::jsonb)
  on conflict do nothing`;

async function addEstate(db: Database, { items, links }: GraphEstate): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(ITEMS, [JSON.stringify(items)]);
    await tx.run(LINKS, [JSON.stringify(links)]);
    // As a script, because it is given the time that many rows need.
    await tx.script('set constraints all immediate');
  });
}

const [dataDir = '', ...sizes] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const db = await openDatabase({ databaseUrl: undefined, dataDir, logger });
await migrate(db, logger);
for (const size of sizes.map(Number)) {
  await addEstate(db, clusterEstate(size));
  await addEstate(db, treeEstate(size));
}
await db.close();
