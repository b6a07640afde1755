/** What a list shows while something in it is chosen, and of what was then done. */
import type { Locator, Page } from '@playwright/test';

export const bar = (page: Page): Locator => page.getByRole('region', { name: 'What is chosen' });
export const report = (page: Page): Locator => page.getByRole('group', { name: 'What came of it' });
