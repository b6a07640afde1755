/** Playwright's global setup: one database with our tables, which each server of a test begins with a copy of. */
import { keptDatabases } from '../../tests/kept-databases.ts';

export default async function setup(): Promise<void> {
  const { migratedFolder } = await keptDatabases();
  process.env['HOLDFAST_E2E_DATABASE'] = migratedFolder;
}
