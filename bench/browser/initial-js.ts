/** Bytes of script that the page itself loads before /health can paint, gzipped, from the built files. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const gzipKb = (file: string) => gzipSync(readFileSync(file)).length / 1024;

/** Opens /health once and sums up the main thread's scripts that were loaded until rows were on screen. */
export async function measureInitialJs(
  url: string,
): Promise<{ pageKb: number; workersKb: number; files: string[] }> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    const scripts: string[] = [];
    page.context().on('request', (request) => {
      const path = new URL(request.url()).pathname;
      if (path.endsWith('.js')) scripts.push(path);
    });
    await page.goto(`${url}/health?hidePassing=false`);
    await page.locator('[data-row-kind]').first().waitFor();
    const loaded = new Set(
      await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map((entry) => new URL(entry.name).pathname)
          .filter((path) => path.endsWith('.js')),
      ),
    );
    const kb = (paths: string[]) => paths.reduce((sum, path) => sum + gzipKb(`dist/app${path}`), 0);
    const isWorker = (path: string) => /worker|sw\.js/.test(path);
    const files = [...loaded].filter((path) => !isWorker(path));
    return { pageKb: kb(files), workersKb: kb([...new Set(scripts)].filter(isWorker)), files };
  } finally {
    await browser.close();
  }
}
