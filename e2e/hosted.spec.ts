/** The hosted mode in a browser: a real provider, a front, and two backends, one of them used directly. */
import { expect, test, type Page } from '@playwright/test';
import { signInAtProvider, startHosted, type HostedDeployment } from './support/hosted.ts';

let hosted: HostedDeployment;

test.setTimeout(300_000);

test.beforeAll(async () => {
  test.setTimeout(600_000);
  hosted = await startHosted();
});

test.afterAll(() => hosted.dispose());

const picker = (page: Page) => page.getByRole('heading', { name: 'Choose an organization' });
const isLive = (page: Page) =>
  expect(page.getByTestId('connectivity')).toContainText('Live', { timeout: 60_000 });
const switcher = (page: Page, name: string) => page.getByRole('button', { name: `Organization: ${name}` });

/** Signs in and stops at the picker. */
async function enter(page: Page, login: string, path = '/'): Promise<void> {
  await page.goto(`${hosted.front.url}${path}`);
  await expect(page).toHaveURL(/\/login\?return_to=/, { timeout: 60_000 });
  await expect(page.getByLabel('Password')).toHaveCount(0);
  await signInAtProvider(page, login);
  await expect(picker(page)).toBeVisible({ timeout: 60_000 });
}

/** Which of them depends on whether the demo's components have arrived. */
const HOME = /\/(topology|health)/;

async function pick(page: Page, name: string): Promise<void> {
  await page.getByRole('list', { name: 'Your organizations' }).getByRole('button', { name }).click();
}

test('sign in at the provider, pick an organisation, work, switch, and sign out at both', async ({
  page,
}) => {
  await enter(page, 'ada');
  await pick(page, 'Engines');
  await expect(page).toHaveURL(HOME, { timeout: 60_000 });
  await expect(switcher(page, 'Engines')).toBeVisible({ timeout: 60_000 });
  await isLive(page);

  await switcher(page, 'Engines').click();
  await page.getByRole('menuitemradio', { name: 'Directly' }).click();
  await expect(switcher(page, 'Directly')).toBeVisible({ timeout: 60_000 });
  await expect(page).toHaveURL(HOME);
  await isLive(page);
  await page.goto(`${hosted.front.url}/health?hidePassing=false`);
  await expect(page.locator('[data-row-kind]').first()).toBeVisible({ timeout: 60_000 });

  await page.getByRole('button', { name: 'Profile of Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  // The provider asks whether its own session is to end, too.
  await expect(page).toHaveURL(new RegExp(`^${hosted.provider.issuer}`), { timeout: 60_000 });
});

test('an organisation without a backend is being provided; another one is a press away', async ({ page }) => {
  await enter(page, 'ada');
  await pick(page, 'Nowhere');
  await expect(page.getByRole('heading', { name: /instance provisioning in-progress/ })).toBeVisible({
    timeout: 60_000,
  });
  await page.goto(`${hosted.front.url}/organizations`);
  await pick(page, 'Engines');
  await expect(switcher(page, 'Engines')).toBeVisible({ timeout: 60_000 });
});

test('who belongs nowhere makes an organisation', async ({ page }) => {
  await enter(page, 'eve');
  await expect(page.getByText('You belong to no organization yet')).toBeVisible();
  await page.getByRole('button', { name: 'Create organization' }).click();
  await expect(page.getByText('This field is required')).toBeVisible();
  await page.getByLabel('Name').fill('Eve & Sons');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await expect(page.getByRole('heading', { name: /instance provisioning in-progress/ })).toBeVisible({
    timeout: 60_000,
  });
});

test('in direct mode the device asks the backend itself', async ({ page }) => {
  await enter(page, 'ada');
  await pick(page, 'Directly');
  await isLive(page);
  const isTold = await page.evaluate(async () => (await fetch('/api/auth/backend-token')).status);
  expect(isTold).toBe(200);
});

test('a sign-in that failed offers the way out', async ({ page }) => {
  await enter(page, 'ada');
  await page.goto(`${hosted.front.url}/error?error_code=BAD_SESSION`);
  await expect(page.getByText(/^Bad Session/)).toBeVisible();
  await page.getByRole('button', { name: 'Organization', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Engines' }).click();
  await expect(switcher(page, 'Engines')).toBeVisible({ timeout: 60_000 });
});
