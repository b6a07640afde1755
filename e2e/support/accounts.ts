import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ADMIN, type HoldfastServer } from './holdfast-server.ts';

/** The account of that role, once added. */
export const accountOf = (role: string) => ({ email: `${role}@local`, password: ADMIN.password });

/** Adds an account for each role; starts the server and leaves it running. */
export async function startWithRoles(server: HoldfastServer, roles: readonly string[]): Promise<void> {
  // The first start makes the tables.
  await server.start();
  await server.stop();
  const accounts = roles.map((role) => ({ ...accountOf(role), roles: [role] }));
  const script = 'e2e/support/add-accounts.ts';
  const args = ['--import', 'tsx', script, server.dataDir, JSON.stringify(accounts)];
  await promisify(execFile)(process.execPath, args);
  await server.start();
}
