import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { ADMIN, type HoldfastServer } from './holdfast-server.ts';

/** The account of that role, once added. */
export const accountOf = (role: string) => ({ email: `${role}@holdfast.test`, password: ADMIN.password });

/** Starts the server with an administrator and an account for each role. */
export async function startWithRoles(server: HoldfastServer, roles: readonly string[]): Promise<void> {
  const others = roles.map((role) => ({ ...accountOf(role), roles: [role] }));
  const accounts = [{ ...ADMIN, roles: ['admin'] }, ...others];
  const script = 'e2e/support/add-accounts.ts';
  const args = ['--import', 'tsx', script, server.dataDir, JSON.stringify(accounts)];
  await promisify(execFile)(process.execPath, args);
  await server.start();
}

/** As the administrator of this page, gives the account of that address another role. */
export async function setRole(admin: Page, email: string, role: string): Promise<void> {
  const origin = new URL(admin.url()).origin;
  const people = await admin.request.get(
    `${origin}/api/db/people?email=eq.${encodeURIComponent(email)}&select=id`,
  );
  const [person] = (await people.json()) as { id: string }[];
  const answer = await admin.request.post(`${origin}/api/people/update`, {
    headers: { origin },
    data: { id: person?.id, firstName: role, lastName: 'Tester', email, role, active: true },
  });
  if (!answer.ok()) throw new Error(await answer.text());
}
