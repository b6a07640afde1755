import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ADMIN, type HoldfastServer } from './holdfast-server.ts';

/** The account of that role, once added. */
export const accountOf = (role: string) => ({ email: `${role}@local`, password: ADMIN.password });

/** Starts the server with an administrator and an account for each role. */
export async function startWithRoles(server: HoldfastServer, roles: readonly string[]): Promise<void> {
  const others = roles.map((role) => ({ ...accountOf(role), roles: [role] }));
  const accounts = [{ ...ADMIN, roles: ['admin'] }, ...others];
  const script = 'e2e/support/add-accounts.ts';
  const args = ['--import', 'tsx', script, server.dataDir, JSON.stringify(accounts)];
  await promisify(execFile)(process.execPath, args);
  await server.start();
}
