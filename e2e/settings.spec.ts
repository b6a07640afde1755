import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { prepareServer } from './support/holdfast-server.ts';
import type { HoldfastServer } from './support/holdfast-server.ts';
import { signIn } from './support/sign-in.ts';

/** Each test signs in anew, and its lists come from the server. */
test.setTimeout(240_000);

let server: HoldfastServer;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  server = await prepareServer();
  await server.start();
});
test.afterAll(() => server.dispose());

async function open(page: Page, path: string): Promise<void> {
  await signIn(page, server.url);
  await page.goto(`${server.url}${path}`);
}

const dialog = (page: Page) => page.getByRole('dialog');

test('an administrator invites a user, changes the role, and deletes the user', async ({ page }) => {
  await open(page, '/settings/users');
  await page.getByRole('button', { name: 'Invite User' }).click();
  await dialog(page).getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByText('Please provide valid first name')).toBeVisible();
  await expect(page.getByText('Please select any role')).toBeVisible();
  await dialog(page).getByLabel('First Name').fill('Ada');
  await dialog(page).getByLabel('Last Name').fill('Lovelace');
  await dialog(page).getByLabel('Email').fill('ada@example.test');
  await dialog(page).getByLabel('Role').selectOption('editor');
  await dialog(page).getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByLabel('Invitation link')).toContainText(server.url.replace(/^https?:/, ''), {
    timeout: 60_000,
  });
  await page.getByRole('button', { name: 'Done' }).click();

  const row = page.getByRole('row').filter({ hasText: 'ada@example.test' });
  await expect(row.getByText('editor')).toBeVisible({ timeout: 60_000 });
  await row.getByRole('button', { name: 'Edit Ada Lovelace' }).click();
  await dialog(page).getByLabel('Role').selectOption('viewer');
  await dialog(page).getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Ada Lovelace updated successfully')).toBeVisible({ timeout: 60_000 });
  await expect(row.getByText('viewer')).toBeVisible({ timeout: 60_000 });

  await row.getByRole('button', { name: 'Delete Ada Lovelace' }).click();
  await expect(page.getByText('Are you sure you want to delete this user ?')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('user deleted successfully')).toBeVisible({ timeout: 60_000 });
  await expect(row).toHaveCount(0, { timeout: 60_000 });
});

test('an address that is there already is refused at its field or in the form, and nothing is lost', async ({
  page,
}) => {
  await open(page, '/settings/users');
  await page.getByRole('button', { name: 'Invite User' }).click();
  await dialog(page).getByLabel('First Name').fill('Second');
  await dialog(page).getByLabel('Last Name').fill('Admin');
  await dialog(page).getByLabel('Email').fill('admin@local.test');
  await dialog(page).getByLabel('Role').selectOption('viewer');
  await dialog(page).getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Invite User' }).click();
  await dialog(page).getByLabel('First Name').fill('Third');
  await dialog(page).getByLabel('Last Name').fill('Admin');
  await dialog(page).getByLabel('Email').fill('admin@local.test');
  await dialog(page).getByLabel('Role').selectOption('viewer');
  await dialog(page).getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('User already exists', { timeout: 60_000 });
  await expect(dialog(page).getByLabel('First Name')).toHaveValue('Third');
});

test('a feature flag is added and removed', async ({ page }) => {
  await open(page, '/settings/feature-flags');
  await page.getByRole('button', { name: 'Add Feature Flag' }).click();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('please provide all details').first()).toBeVisible();
  await dialog(page).getByLabel('Name').fill('logs.disable');
  await dialog(page).getByLabel('Value').fill('true');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Feature flag added successfully')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'logs.disable' }).click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Delete Feature Flag' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.getByText('Feature flag removed successfully')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'logs.disable' })).toHaveCount(0, { timeout: 60_000 });
});

test('a connection is kept with its secret out of sight', async ({ page }) => {
  await open(page, '/settings/connections');
  await page.getByRole('button', { name: 'Add Connection' }).click();
  await page.getByRole('button', { name: 'HTTP', exact: true }).click();
  await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('status page');
  await dialog(page).getByRole('textbox', { name: 'URL' }).fill('http://localhost:9');
  await dialog(page).locator('input[type=password]').first().fill('reader');
  await dialog(page).locator('input[type=password]').last().fill('hunter2-hunter2');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Connection added successfully')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'status page' }).click();
  await expect(dialog(page).getByRole('textbox', { name: 'URL' })).toHaveValue('http://localhost:9');
  // The form knows that there is a secret, not which.
  await expect(dialog(page).locator('input[type=password]').last()).toHaveValue('');
  await expect(dialog(page).getByPlaceholder('Kept as it is').last()).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Delete Connection' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.getByText('Connection deleted successfully')).toBeVisible({ timeout: 60_000 });
});

test('without a network, lists are as they were and what needs the server says so', async ({ page }) => {
  await open(page, '/settings/users');
  await expect(page.getByText('admin@local', { exact: true })).toBeVisible({ timeout: 60_000 });
  await page.context().setOffline(true);
  const invite = page.getByRole('button', { name: 'Invite User' });
  await expect(invite).toBeDisabled({ timeout: 60_000 });
  await expect(invite).toHaveAttribute('title', /no connection/);
  await expect(page.getByText('admin@local', { exact: true })).toBeVisible();
});
