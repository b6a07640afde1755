/** The page of a component's log. */
import type { Locator, Page } from '@playwright/test';

export const table = (page: Page): Locator => page.getByRole('table', { name: 'Lines of the log' });
/** How many lines there are, and how many are shown. */
export const status = (page: Page): Locator => page.getByRole('main').getByRole('status').first();
export const box = (page: Page): Locator => page.getByRole('searchbox', { name: 'Search in these logs' });
