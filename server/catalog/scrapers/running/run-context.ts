/** What a run of a scraper and the watch over its source have in common: the parts they work with and the context of a kind. */
import { AppError } from '../../../../src/contract/errors.ts';
import { findConnectionByReference } from '../../../connections/connection-query.ts';
import type { SecretReader } from '../../../connections/connection-values.ts';
import { createSecretScope } from '../../../connections/secret-scope.ts';
import type { Redactor } from '../../../platform/crypto/redact.ts';
import type { Opener } from '../../../platform/crypto/sealed-values.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { EgressGuard } from '../../../platform/egress/egress-guard.ts';
import type { Expressions } from '../../../platform/expressions/expression-thread.ts';
import type { Leases } from '../../../platform/jobs/leases.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findByIds } from '../ingest/items/known-items-query.ts';
import { findLinked } from '../ingest/links/find-linked.ts';
import type { ItemLookup, CheckOut, LogReader, ScrapeContext, SubjectRef } from '../specs/scraped.ts';
import { createScrapeSecrets, type ScrapeSecrets } from './scrape-secrets.ts';
import type { RunningScraper } from './scraper-registry.ts';
import { lastGoodRun } from './scraper-runs-query.ts';

/** The agent of items that this server found itself. */
export const OWN_AGENT = '00000000-0000-0000-0000-000000000000';
/** What storing items writes. */
export const WRITTEN_TABLES = [
  'config_items',
  'config_changes',
  'config_analysis',
  'config_relationships',
  'config_scrapers',
];

/** What entries are read with, whether what they say is stored or only shown. */
export interface ReaderDeps {
  db: Database;
  platform: Platform;
  logger: Logger;
  guard: EgressGuard;
  mounted: SecretReader;
  sealer: Opener;
  expressions: Expressions;
  mayExec: boolean;
  /** Where operators' file scrapers start; null without SCRAPERS_DIR. */
  scrapersDir: string | null;
  /** The folder that users' file scrapers may read; null without SCRAPERS_DIR. */
  usersDir: string | null;
  /** Where logs are read; they are another area's. */
  readLogs?: LogReader | undefined;
  /** How repositories are fetched; playbooks can. */
  checkOut?: CheckOut | undefined;
}

export interface RunnerDeps extends ReaderDeps {
  leases: Pick<Leases, 'take'>;
  hostname: string;
  notify: (table: string) => void;
}

const NO_LOGS: LogReader = () => Promise.reject(new AppError('invalid', 'this server reads no logs'));
const NO_REPOSITORIES: CheckOut = () =>
  Promise.reject(new AppError('invalid', 'this server reads no repositories'));

async function itemsOf(
  db: Database,
  scraperId: string,
  { to, warn }: { to: ItemLookup; warn: (text: string) => void },
): Promise<SubjectRef[]> {
  const linked = await findLinked(db, { scraperId, warn }, [to]);
  const found = await findByIds(db, linked.idsOf(to));
  return found.flatMap(({ type, external_id: ids, is_deleted: isGone }): SubjectRef[] => {
    const [externalId = ''] = ids ?? [];
    return externalId === '' || isGone ? [] : [{ type, externalId, scope: 'any' }];
  });
}

/** What the entries of a run share; secrets are read for each by itself. */
export type RunContext = Omit<ScrapeContext, keyof ScrapeSecrets> & {
  secrets: () => ScrapeSecrets;
  redactor: Redactor;
};

/** What the entries of a scraper are read with. */
export async function createRunContext(
  deps: ReaderDeps,
  { id, scraper, trust, author }: RunningScraper,
  { redactor, signal }: { redactor: Redactor; signal: AbortSignal },
): Promise<RunContext> {
  const { db, platform, guard, mounted, mayExec, expressions, logger, scrapersDir, usersDir } = deps;
  const findConnection = (reference: string) => findConnectionByReference(db, deps.sealer, reference);
  return {
    scraper: { id, name: scraper.name, namespace: scraper.namespace },
    trust,
    mayExec,
    baseFolder: (trust === 'operator' ? scrapersDir : usersDir) ?? '',
    secrets: () =>
      createScrapeSecrets(createSecretScope({ author, findConnection, mounted, guard, redactor })),
    redactor,
    lastRun: await lastGoodRun(db, id),
    now: () => new Date(platform.now()),
    sleep: (ms) => platform.sleep(ms, signal),
    expressions,
    findItems: (to) =>
      itemsOf(db, id, { to, warn: (text) => logger.info({ scraper: id, text }, 'a lookup finds nothing') }),
    readLogs: deps.readLogs ?? NO_LOGS,
    checkOut: deps.checkOut ?? NO_REPOSITORIES,
    logger,
    signal,
  };
}
