/**
 * What a file of the project `database` leaves to the next one of its process: nothing. Its databases are dropped, and
 * the memory of a PGlite that ended is given back: it is shared memory, which the collector does not count as pressure.
 */
import { afterAll } from 'vitest';
import { dropTestDatabases } from '../server/platform/db/test-databases.ts';

afterAll(async () => {
  await dropTestDatabases();
  globalThis.gc?.();
});
