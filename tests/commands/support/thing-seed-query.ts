/** For tests only: things that are set up, as the database has them. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../../server/platform/db/database.ts';
import type { ThingTable } from '../../../src/domain/bulk/things.ts';

const COLUMNS: Readonly<Partial<Record<ThingTable, Readonly<Record<string, string>>>>> = {
  canaries: { namespace: 'default', spec: '{}' },
  config_scrapers: { spec: '{}' },
  topologies: { namespace: 'default', spec: '{}' },
  teams: { spec: '{}' },
  incident_rules: { spec: '{}' },
  logging_backends: { spec: '{}' },
  connections: { namespace: 'default', type: 'http', url: 'https://example.org' },
  notifications: { events: '{check.failed}', custom_services: '[{"url": "https://example.org"}]' },
  playbooks: { namespace: 'default', title: 'x', spec: '{}' },
};

/** The tables of which one can be made. */
export const SEEDED_TABLES = Object.keys(COLUMNS) as ThingTable[];

/** Answers its id. */
export async function seedThing(db: Database, table: ThingTable, personId: string): Promise<string> {
  const all = Object.entries({
    name: `thing-${randomUUID()}`,
    source: 'UI',
    created_by: personId,
    ...COLUMNS[table],
  });
  const [made] = await db.rows(
    z.strictObject({ id: z.string() }),
    `insert into ${table} (${all.map(([name]) => name).join(', ')})
     values (${all.map((_, at) => `$${at + 1}`).join(', ')}) returning id`,
    all.map(([, value]) => value),
  );
  return made?.id ?? '';
}
