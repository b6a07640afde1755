/** A page on a slower processor. */
import type { BrowserContext, Page } from 'playwright-core';

/** Slows the page's own threads down; answers how to end it: the slowest rate of all sessions counts, so it is the same one. */
export async function slowCpu(
  context: BrowserContext,
  page: Page,
  rate: number,
): Promise<() => Promise<void>> {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  return async () => {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await session.detach();
  };
}
