import type { Page } from '@playwright/test';

/** Adds a team as the one who is signed in; answers its id. */
export function addTeam(page: Page, name: string, spec: unknown): Promise<string> {
  return page.evaluate(
    async ([teamName, teamSpec]) => {
      const { user } = (await (await fetch('/api/auth/whoami')).json()).payload;
      const answer = await fetch('/api/db/teams?select=id', {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'return=representation' },
        body: JSON.stringify({ name: teamName, spec: teamSpec, source: 'UI', created_by: user.id }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json())[0].id as string;
    },
    [name, spec] as const,
  );
}
