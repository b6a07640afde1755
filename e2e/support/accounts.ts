import type { Page } from '@playwright/test';
import { createAccount } from '../../server/access/identity/accounts/accounts.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { nodePlatform } from '../../server/platform/platform.ts';
import { ADMIN, type HoldfastServer } from './holdfast-server.ts';
import { openServerDatabase } from './server-database.ts';

/** The account of that role, once added. */
export const accountOf = (role: string) => ({ email: `${role}@holdfast.test`, password: ADMIN.password });

/** The administrator that the server made is called like the others. */
async function nameAdmin(db: Database): Promise<void> {
  const name = JSON.stringify({ first: 'admin', last: 'Tester' });
  await db.run(`update people set name = 'admin Tester' where email = $1`, [ADMIN.email]);
  await db.run(
    `update identities set traits = jsonb_set(traits, '{name}', $2::jsonb) where traits ->> 'email' = $1`,
    [ADMIN.email, name],
  );
}

/** Starts the server with an administrator and an account for each role, where no invitation mail can be waited for. */
export async function startWithRoles(server: HoldfastServer, roles: readonly string[]): Promise<void> {
  await server.start();
  const db = await openServerDatabase(server.dataDir);
  for (const role of roles)
    await createAccount(db, nodePlatform, {
      ...accountOf(role),
      roles: [role],
      firstName: role,
      lastName: 'Tester',
    });
  await nameAdmin(db);
  await db.close();
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
