/** The identity pages: second factor, recovery codes, recovery by mail, registration, and what goes wrong. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, type Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import PostalMime from 'postal-mime';
import { accountOf } from './support/accounts.ts';
import { fileServer } from './support/file-server.ts';
import { ADMIN } from './support/holdfast-server.ts';
import { fillLogin } from './support/sign-in.ts';

/** Several forms each, each with answers of the server; mails are waited for. */
test.setTimeout(240_000);

const server = fileServer({
  env: { REGISTRATION: 'open', AUTH_DEMO: 'true' },
  roles: ['viewer', 'editor', 'responder', 'commander'],
});

const password = (page: Page) => page.getByLabel('Password', { exact: true });
const card = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name }) });

async function openProfile(page: Page, role: string): Promise<void> {
  await page.goto(`${server.url}/profile-settings`);
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  await fillLogin(page, accountOf(role));
  await expect(page.getByRole('heading', { name: 'Profile settings' })).toBeVisible({ timeout: 60_000 });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^profile of/i }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  // The page is at sign-in before the server has heard of it.
  const whoami = async () => (await page.request.get(`${server.url}/api/auth/whoami`)).status();
  await expect.poll(whoami, { timeout: 60_000 }).toBe(401);
}

/** The code in the newest mail to the address. A mail is looked at while it is written: it has none at first. */
async function codeFor(address: string): Promise<string> {
  const folder = join(server.dataDir, 'mail');
  let code = '';
  await expect
    .poll(
      async () => {
        const files = existsSync(folder) ? readdirSync(folder).toSorted() : [];
        for (const file of files) {
          const mail = await PostalMime.parse(readFileSync(join(folder, file)));
          if (mail.to?.some((one) => one.address === address) === true)
            code = /\b(\d{6})\b/.exec(mail.text ?? '')?.[1] ?? '';
        }
        return code;
      },
      { timeout: 60_000 },
    )
    .toMatch(/^\d{6}$/);
  return code;
}

test('a second factor is set up, asked for, and stood in for by a recovery code that works once', async ({
  page,
}) => {
  await openProfile(page, 'editor');
  const secret = (await card(page, 'Authenticator app').locator('code').textContent()) ?? '';
  const totp = new TOTP({ secret });
  await page.getByLabel(/verify code/i).fill(totp.generate());
  await card(page, 'Authenticator app').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/changes have been saved/i)).toBeVisible({ timeout: 60_000 });

  const recovery = card(page, 'Recovery codes');
  await page.getByRole('button', { name: /generate new backup recovery codes/i }).click();
  // The list comes with the answer: read it when it is there, or "no codes" is what was read.
  await expect(recovery.locator('li code').nth(9)).toBeVisible({ timeout: 60_000 });
  const codes = await recovery.locator('li code').allTextContents();
  const confirm = page.getByRole('button', { name: /confirm/i });
  await confirm.click();
  // The word of the save before this one may still stand; the button goes when the codes are kept.
  await expect(confirm).toBeHidden({ timeout: 60_000 });
  await expect(page.getByText(/changes have been saved/i)).toBeVisible({ timeout: 60_000 });
  await signOut(page);

  for (const way of ['app', 'code', 'used code'] as const) {
    await page.goto(`${server.url}/help`);
    await fillLogin(page, accountOf('editor'));
    await expect(page.getByRole('heading', { name: 'Two-Factor Authentication' })).toBeVisible({
      timeout: 60_000,
    });
    if (way === 'app') {
      const later = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 });
      await page.getByLabel(/authentication code/i).fill(later);
      await page
        .getByRole('button', { name: /use authenticator|sign in with/i })
        .first()
        .click();
    } else {
      await page.getByLabel(/recovery code/i).fill(codes[0] ?? '');
      await page.getByRole('button', { name: /use (?:backup )?recovery code|use code/i }).click();
    }
    if (way === 'used code') {
      await expect(page.getByText(/already (?:been )?used/i)).toBeVisible({ timeout: 60_000 });
      return;
    }
    await expect(page).toHaveURL(`${server.url}/help`, { timeout: 60_000 });
    await signOut(page);
  }
});

test('a forgotten password is recovered by a code that came by mail, and other browsers are out', async ({
  page,
  browser,
}) => {
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${server.url}/help`);
  await fillLogin(other, accountOf('viewer'));
  await expect(other).toHaveURL(/\/help/, { timeout: 60_000 });

  await page.goto(`${server.url}/login`);
  await page.getByRole('link', { name: 'Reset password' }).click();
  await expect(page.getByRole('heading', { name: 'Recover account' })).toBeVisible();
  await page.getByLabel(/e-?mail/i).fill(accountOf('viewer').email);
  await page
    .getByRole('button', { name: /continue|submit/i })
    .first()
    .click();
  const code = await codeFor(accountOf('viewer').email);
  await page.getByLabel(/code/i).fill('000000' === code ? '000001' : '000000');
  await page
    .getByRole('button', { name: /continue|submit/i })
    .first()
    .click();
  await expect(page.getByText(/code is invalid/i)).toBeVisible({ timeout: 60_000 });
  await page.getByLabel(/code/i).fill(code);
  await page
    .getByRole('button', { name: /continue|submit/i })
    .first()
    .click();
  await expect(page).toHaveURL(/\/profile-settings/, { timeout: 60_000 });
  await password(page).fill('quite another passphrase');
  await card(page, 'Password').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/changes have been saved/i)).toBeVisible({ timeout: 60_000 });
  await signOut(page);

  await fillLogin(page, accountOf('viewer'));
  await expect(page.getByText(/credentials are invalid/)).toBeVisible({ timeout: 60_000 });
  await fillLogin(page, { email: accountOf('viewer').email, password: 'quite another passphrase' });
  await expect(page).not.toHaveURL(/\/login/, { timeout: 60_000 });

  await other.reload();
  await expect(other).toHaveURL(/\/login/, { timeout: 60_000 });
  await other.context().close();
});

test('who registers is a viewer, is asked to show that the address is theirs, and a weak password is refused', async ({
  page,
}) => {
  await page.goto(`${server.url}/login`);
  await page.getByRole('link', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible();
  await page.getByLabel(/e-?mail/i).fill('newcomer@example.com');
  await page.getByLabel(/first name/i).fill('New');
  await page.getByLabel(/last name/i).fill('Comer');
  await password(page).fill('password');
  await page.getByRole('button', { name: /sign up|create/i }).click();
  await expect(page.getByText(/password can not be used|can not be used because/i)).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByLabel(/first name/i)).toHaveValue('New');
  await password(page).fill('a long enough passphrase');
  await page.getByRole('button', { name: /sign up|create/i }).click();
  await expect(page).not.toHaveURL(/\/registration/, { timeout: 60_000 });
  await codeFor('newcomer@example.com');
  const whoami = await page.request.get(`${server.url}/api/auth/whoami`);
  expect(await whoami.json()).toMatchObject({ payload: { user: { name: 'New Comer' } } });
  const refused = await page.request.post(`${server.url}/api/db/teams`, { data: { name: 'x' } });
  expect(refused.status()).toBe(403);
});

test('a form that was left open too long begins anew and says why', async ({ page }) => {
  await page.goto(`${server.url}/login`);
  await expect(password(page)).toBeVisible();
  await server.stop();
  const args = ['--import', 'tsx', 'e2e/support/expire-flows.ts', server.dataDir];
  await promisify(execFile)(process.execPath, args);
  await server.start();
  // The form may have noticed that the server was away.
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled({ timeout: 60_000 });
  await fillLogin(page, accountOf('responder'));
  await expect(page.getByText('Your interaction expired, please fill out the form again.')).toBeVisible({
    timeout: 60_000,
  });
  await fillLogin(page, accountOf('responder'));
  await expect(page).not.toHaveURL(/\/login/, { timeout: 60_000 });
});

test('a form without its cookie is refused as a forgery and begins anew', async ({ page, context }) => {
  await page.goto(`${server.url}/login`);
  await expect(password(page)).toBeVisible();
  await context.clearCookies({ name: 'holdfast_csrf' });
  await fillLogin(page, accountOf('responder'));
  await expect(
    page.getByText('A security violation was detected, please fill out the form again.'),
  ).toBeVisible({ timeout: 60_000 });
  await fillLogin(page, accountOf('responder'));
  await expect(page).not.toHaveURL(/\/login/, { timeout: 60_000 });
});

test('a foreign page to return to is refused, and the form is there: signing in leads home', async ({
  page,
}) => {
  await page.goto(`${server.url}/login?return_to=https%3A%2F%2Fevil.example%2F`);
  await expect(page.getByText('The return_to address is not allowed.')).toBeVisible({ timeout: 60_000 });
  await expect(password(page)).toBeVisible();
  await fillLogin(page, accountOf('responder'));
  await expect(page).not.toHaveURL(/\/login/, { timeout: 60_000 });
  expect(new URL(page.url()).origin).toBe(new URL(server.url).origin);
});

test('the second factor’s page without a session is the first factor’s form, and leads on from there', async ({
  page,
}) => {
  await page.goto(`${server.url}/login?aal=aal2&return_to=%2Fhelp`);
  await expect(password(page)).toBeVisible({ timeout: 60_000 });
  await expect(page).toHaveURL(/\/login\?return_to=%2Fhelp$/);
  await fillLogin(page, accountOf('responder'));
  await expect(page).toHaveURL(/\/help$/, { timeout: 60_000 });
});

test('a session is ended from another browser, and that browser is at sign-in with what it was looking at', async ({
  page,
  browser,
}) => {
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${server.url}/help`);
  await fillLogin(other, accountOf('commander'));
  await expect(other).toHaveURL(/\/help/, { timeout: 60_000 });
  await openProfile(page, 'commander');
  const sessions = card(page, 'Where you are signed in');
  await sessions.getByRole('button', { name: 'Sign out there' }).click();
  await sessions.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(sessions.getByText('You are signed in on this device only.')).toBeVisible({ timeout: 60_000 });
  // The open page hears of it by itself.
  await expect(other).toHaveURL(/\/login\?return_to=%2Fhelp/, { timeout: 90_000 });
  await other.context().close();
});

test('a password that is too old for a change is asked for again, then the change goes on', async ({
  page,
}) => {
  await openProfile(page, 'responder');
  await page.goto(`${server.url}/login?refresh=true&return_to=/profile-settings`);
  await expect(page.getByRole('heading', { name: 'Confirm Action' })).toBeVisible({ timeout: 60_000 });
  await password(page).fill(ADMIN.password);
  await page
    .getByRole('button', { name: /sign in|confirm/i })
    .first()
    .click();
  await expect(page).toHaveURL(`${server.url}/profile-settings`, { timeout: 60_000 });
});

test('credentials in the address sign in where this is a demonstration, and do not stay there', async ({
  page,
}) => {
  const { email } = accountOf('responder');
  const query = new URLSearchParams({ username: email, password: ADMIN.password, return_to: '/help' });
  await page.goto(`${server.url}/login?${query.toString()}`);
  await expect(page).toHaveURL(`${server.url}/help`, { timeout: 60_000 });
  await page.goBack();
  await expect(page).not.toHaveURL(/password/);
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('no network: the forms say so, and come back by themselves', async ({ page, context }) => {
    await openProfile(page, 'responder');
    await expect(card(page, 'Password').getByRole('button', { name: 'Save' })).toBeEnabled({
      timeout: 60_000,
    });
    await context.setOffline(true);
    await expect(
      page.getByText('Changing your profile needs the server, and there is no connection.'),
    ).toBeVisible();
    await expect(card(page, 'Password').getByRole('button', { name: 'Save' })).toBeDisabled();
    await context.setOffline(false);
    await expect(card(page, 'Password').getByRole('button', { name: 'Save' })).toBeEnabled({
      timeout: 90_000,
    });
  });
});
