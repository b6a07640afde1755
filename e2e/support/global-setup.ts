/** Playwright's global setup: what every server of a test begins with. */
import { preparedDatabases } from '../../tests/prepared-databases.ts';

export default async function setup(): Promise<void> {
  const { postgresData } = await preparedDatabases();
  // A data folder with our tables, which each of them copies.
  process.env['HOLDFAST_E2E_DATA'] = postgresData;
}
