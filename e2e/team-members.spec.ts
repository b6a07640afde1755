/** Who is in a team: found by name and added, several at once; removed after a question; a viewer looks on. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { accountOf } from './support/accounts.ts';
import { findings } from './support/findings.ts';
import { fileServer } from './support/file-server.ts';
import { logIn, signIn, waitUntilOfflineReady } from './support/sign-in.ts';
import { addTeam } from './support/teams.ts';

test.use({ serviceWorkers: 'allow' });

test.setTimeout(300_000);

const server = fileServer({ roles: ['viewer', 'responder', 'commander'] });

const members = (page: Page) => page.locator('[data-member]');

test('people are looked for, added and removed; a viewer and who is offline look on', async ({
  page,
  context,
  browser,
}) => {
  await signIn(page, server.url);
  const address = `${server.url}/settings/teams/${await addTeam(page, 'Platform', {})}`;
  await page.goto(address);
  await page.getByRole('tab', { name: 'Manage Team' }).click();
  await expect(page.getByText("You haven't added any team members to the team yet.")).toBeVisible({
    timeout: 60_000,
  });
  expect(await findings(page)).toEqual([]);

  await page.getByRole('button', { name: 'Add users' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add users' });
  const add = dialog.getByRole('button', { name: 'Add users' });
  const person = (name: RegExp) => dialog.getByRole('checkbox', { name });
  await expect(add).toBeDisabled();
  await dialog.getByLabel('Search people').fill('nobody is called so');
  await expect(dialog.getByText('No person matches who is not in the team already')).toBeVisible();
  await dialog.getByLabel('Search people').fill('respond');
  await expect(dialog.getByRole('checkbox')).toHaveCount(1);
  await person(/responder/i).check();
  // Who was ticked stays so while somebody else is looked for.
  await dialog.getByLabel('Search people').fill('comm');
  await person(/commander/i).check();
  expect(await findings(page)).toEqual([]);
  await add.click();
  await expect(page.getByText(/, .+ added to the team successfully$/)).toBeVisible({ timeout: 60_000 });
  await expect(dialog).toBeHidden();
  await expect(members(page)).toHaveCount(2, { timeout: 60_000 });

  // Who is in the team is not offered again.
  await page.getByRole('button', { name: 'Add users' }).click();
  await expect(person(/viewer/i)).toBeVisible();
  await expect(person(/responder|commander/i)).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const responder = members(page).filter({ hasText: /responder/i });
  await responder.getByRole('button', { name: /^Remove / }).click();
  await expect(responder.getByRole('group', { name: 'Remove from this team?' })).toBeVisible();
  await responder.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText(/removed from team successfully$/)).toBeVisible({ timeout: 60_000 });
  await expect(members(page)).toHaveCount(1, { timeout: 60_000 });
  await expect(members(page)).toContainText(/commander/i);

  const viewer = await (await browser.newContext()).newPage();
  await logIn(viewer, server.url, accountOf('viewer'));
  await viewer.goto(address);
  await viewer.getByRole('tab', { name: 'Manage Team' }).click();
  await expect(members(viewer)).toHaveCount(1, { timeout: 60_000 });
  await expect(viewer.getByRole('button', { name: 'Add users' })).toHaveCount(0);
  await expect(viewer.getByRole('button', { name: /^Remove / })).toHaveCount(0);
  await viewer.context().close();

  await waitUntilOfflineReady(page);
  await context.setOffline(true);
  await expect(page.getByTestId('connectivity')).toContainText('Offline', { timeout: 60_000 });
  await expect(members(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Add users' })).toBeDisabled();
});
