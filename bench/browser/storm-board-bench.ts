/**
 * 10,000 checks that fail at once, with a rule that tells a service, and the health board open meanwhile: how long until
 * its figures are right. The server keeps its data in a PostgreSQL of the bench's, which so can turn all checks by one
 * statement, as results that arrive together do.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { startLocalServer } from '../../server/catalog/scrapers/testing/local-server.ts';
import { NotificationSetting } from '../../server/notifications/testing/notification-setting-query.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { startEmbeddedPostgres } from '../../server/platform/db/embedded/embedded-postgres.ts';
import { openPostgresDatabase } from '../../server/platform/db/postgres-database.ts';
import type { Bench } from '../core/bench.ts';
import { treeMb } from '../core/machine.ts';
import { addChecks, CHECKS, turnAll } from '../server/storm-checks-query.ts';
import { withApp, withBrowser } from './app.ts';

const RUNS = 6;
const ALL = CHECKS.toLocaleString('en');
/** What the storm leaves behind comes to rest. */
const BETWEEN_MS = 15_000;

/** When the board's header says so, on the wall clock. */
const whenTold = (page: Page, text: string) =>
  page.evaluate<number>(`bench.when(() =>
    [...document.querySelectorAll('[data-testid=totals] li')].some((part) => part.textContent.trim() === '${text}'), 120000
  ).then((at) => performance.timeOrigin + at)`);

async function withPostgres(work: (db: Database, url: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const logger = pino({ level: 'warn' });
  const postgres = await startEmbeddedPostgres({ folder: join(dir, 'postgres'), logger });
  try {
    const url = postgres.url('postgres');
    const db = await openPostgresDatabase({ url, logger });
    try {
      await work(db, url);
    } finally {
      await db.close();
    }
  } finally {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Each run turns all of them the other way. */
export async function measureStormBoard(bench: Bench): Promise<void> {
  const hook = await startLocalServer(() => ({ body: 'ok' }));
  try {
    await withPostgres((db, url) =>
      withApp({ env: { DATABASE_URL: url, EGRESS_ALLOW: 'loopback' } }, async (app) => {
        await new NotificationSetting(db).rule({
          events: ['check.failed', 'check.passed'],
          custom_services: [{ name: 'hook', url: `${hook.url}/in` }],
        });
        await addChecks(db);
        await withBrowser(async (page) => {
          await page.goto(`${app.url}/health?hidePassing=false`);
          await whenTold(page, `${ALL} healthy`);
          await bench.measure(['storm board'], RUNS, async (run) => {
            await page.waitForTimeout(BETWEEN_MS);
            const status = run % 2 === 0 ? 'unhealthy' : 'healthy';
            const told = whenTold(page, `${ALL} ${status}`);
            const begunAt = Date.now();
            await turnAll(db, status);
            return { 'storm board': (await told) - begunAt };
          });
          await bench.measure(['storm board memory'], 1, () =>
            Promise.resolve({ 'storm board memory': treeMb(app.server.pid()) }),
          );
        });
      }),
    );
  } finally {
    await hook.close();
  }
}
