/** For tests only: what a kind is given, with the real guard and expressions. */
import { checkOut } from '../../../app/check-out.ts';
import { createEgressGuard } from '../../../platform/egress/egress-guard.ts';
import { resolveBySystem } from '../../../platform/egress/platform-network.ts';
import { createExpressions } from '../../../platform/expressions/expression-thread.ts';
import type { Expressions } from '../../../platform/expressions/expression-thread.ts';
import { createLogger } from '../../../platform/logger.ts';
import type { ScrapeContext } from '../specs/scraped.ts';

export type TestScrapeContext = ScrapeContext & { expressions: Expressions };

/** An operator's scraper with literal secrets only, unless changed. Close its `expressions` afterwards. */
export function scrapeSetting(changes: Partial<ScrapeContext> = {}): TestScrapeContext {
  return {
    scraper: { id: '018f4c4e-0000-7000-8000-000000000001', name: 'test', namespace: null },
    trust: 'operator',
    author: 'operator',
    refuseScripts: () => undefined,
    guard: createEgressGuard({
      allow: [],
      deny: [],
      resolve: resolveBySystem,
      ownNetworks: () => [],
      ownDatabase: null,
    }),
    mayExec: false,
    baseFolder: '/nonexistent',
    secret: async (value) => String(value),
    connection: async () => null,
    findItems: async () => [],
    readLogs: async () => ({ lines: [], isCut: false }),
    checkOut,
    expressions: createExpressions(),
    lastRun: null,
    now: () => new Date('2026-08-21T06:30:00Z'),
    sleep: async () => undefined,
    logger: createLogger('fatal'),
    signal: new AbortController().signal,
    ...changes,
  };
}
