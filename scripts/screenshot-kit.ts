/**
 * What the scripts that take docs/screenshots share: the three screens, signing in on one of them, and a picture
 * that is small enough to be kept in the repository. `npx tsx scripts/screenshots….ts phone` takes one screen only.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ADMIN } from '../e2e/support/holdfast-server.ts';
import { writePicture } from './picture.ts';

/** What docs show is kept with them; the rest is there to be looked at. */
const SHOWN = 'docs/screenshots';
const OTHER = '.tmp/screenshots';
const SETTLE_MS = 1500;
/** A busy machine takes no other pictures than an idle one. */
const PATIENCE_MS = 120_000;
const SIZES = {
  desk: { width: 1440, height: 900 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
  /** The tablet on its side, and screens that hang on a wall. */
  lying: { width: 1180, height: 820 },
  wall: { width: 1920, height: 1080 },
  wall4k: { width: 3840, height: 2160 },
};
const isSize = (text: string): text is keyof typeof SIZES => text in SIZES;
const asked = process.argv.slice(2).filter(isSize);

export interface Look {
  size: keyof typeof SIZES;
  colorScheme: 'light' | 'dark';
}

/** Every screen that was asked for, all of them unless some were named, light and dark. */
export const LOOKS: readonly Look[] = (
  asked.length > 0 ? asked : (['phone', 'desk', 'tablet'] as const)
).flatMap((size) => [
  { size, colorScheme: 'light' as const },
  { size, colorScheme: 'dark' as const },
]);

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });

const pages = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))]
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(name, 'utf8'));

/** Where a picture goes, by its name without an ending. */
export function pathOf(picture: string): string {
  const name = `${picture}.webp`;
  const folder = pages.some((text) => text.includes(`screenshots/${name}`)) ? SHOWN : OTHER;
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}

export interface Camera {
  context: BrowserContext;
  page: Page;
  /** Takes a picture of what stands there once it has settled. */
  shoot: (name: string) => Promise<void>;
}

/** A screen of that look with the administrator signed in, at `path`. */
export async function openCamera(
  browser: Browser,
  address: { url: string; path: string },
  { size, colorScheme }: Look,
): Promise<Camera> {
  const isPhone = size === 'phone';
  const hasTouch = ['phone', 'tablet', 'lying'].includes(size);
  const screen = { viewport: SIZES[size], hasTouch, isMobile: isPhone };
  const context = await browser.newContext({ ...screen, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${address.url}/login?return_to=${encodeURIComponent(address.path)}`);
  await page.getByLabel(/e-?mail/i).fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(({ pathname }) => pathname !== '/login', { timeout: 60_000 });
  const shoot = async (name: string) => {
    await page.waitForTimeout(SETTLE_MS);
    const path = pathOf(`${name}-${size}-${colorScheme}`);
    const png = await page.screenshot();
    const blank = await context.newPage();
    await writePicture(blank, path, png);
    await blank.close();
  };
  return { context, page, shoot };
}
