/** Playwright's global setup: one database with our tables, which each server of a test begins with a copy of. */
import { preparedDatabases } from '../../tests/prepared-databases.ts';

export default async function setup(): Promise<void> {
  const { migratedFolder } = await preparedDatabases();
  process.env['HOLDFAST_E2E_DATABASE'] = migratedFolder;
}
