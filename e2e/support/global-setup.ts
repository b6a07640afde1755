/** Playwright's global setup: what every server of a test begins with. */
import { preparedDatabases } from '../../tests/prepared-databases.ts';

export default async function setup(): Promise<void> {
  const { migratedFolder } = await preparedDatabases();
  // A database with our tables, which each of them copies.
  process.env['HOLDFAST_E2E_DATABASE'] = migratedFolder;
  // A server that lives for a minute spends half of its processor time on optimising its database's WebAssembly;
  // compiled once and plainly, it does the same. Benchmarks run without this.
  process.env['HOLDFAST_E2E_NODE_FLAGS'] = '--liftoff-only';
}
