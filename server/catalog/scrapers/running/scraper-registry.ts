/** The scrapers that run, from files and the database: what the registry of documents has to know of them. */
import { DocumentRegistry } from '../../../platform/documents/document-registry.ts';
import type { DocumentKind } from '../../../platform/documents/document-kind.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Opener } from '../../../platform/crypto/sealed-values.ts';
import type { SpecAuthor } from '../../../connections/secret-scope.ts';
import type { EgressTrust } from '../../../platform/egress/egress-guard.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Scheduler } from '../../../platform/jobs/scheduler.ts';
import { noteReading } from '../../../platform/jobs/job-history-query.ts';
import { readingJob } from './scraper-jobs.ts';
import { readScraperSpec } from '../specs/scraper-document.ts';
import type { Scraper } from '../specs/scraper-document.ts';
import {
  databaseScrapers,
  deleteScrapers,
  ensureRefusedScraper,
  lockFileScrapers,
  saveFileScraper,
  scraperSources,
  scrapersOfSource,
} from '../specs/scraper-query.ts';
import type { StoredScraper } from '../specs/scraper-query.ts';

export interface RunningScraper {
  id: string;
  scraper: Scraper;
  source: string;
  trust: EgressTrust;
  author: SpecAuthor;
  /** Runs only when somebody asks for it. */
  isPaused: boolean;
}

interface ScraperRegistryDeps {
  db: Database;
  sealer: Opener;
  scheduler: Pick<Scheduler, 'set' | 'remove'>;
  logger: Logger;
  notify: (table: string) => void;
}

interface ReadScraper {
  ok: true;
  scraper: Scraper;
}

type ScraperKind = DocumentKind<ReadScraper, StoredScraper, RunningScraper>;
export type ScraperRegistry = DocumentRegistry<ReadScraper, StoredScraper, RunningScraper>;

const keyOf = ({ name, namespace }: { name: string; namespace: string }) => `${namespace}/${name}`;

/** `namespace/name` of a stored name; one without a slash is in the namespace of its row, if that names one. */
function splitName({ name, namespace }: { name: string; namespace: string | null }) {
  const slash = name.indexOf('/');
  return slash > 0
    ? { namespace: name.slice(0, slash), name: name.slice(slash + 1) }
    : { namespace: namespace || 'default', name };
}

/** How they are saved and read. */
const SCRAPER_ROWS = {
  sources: scraperSources,
  ofSource: scrapersOfSource,
  lock: lockFileScrapers,
  async save(tx, { scraper }, source) {
    const id = await saveFileScraper(tx, { name: keyOf(scraper), source }, scraper.spec);
    return { id, scraper, source, trust: 'operator', author: 'operator', isPaused: false };
  },
  ensureRefused: (tx, name, source) => ensureRefusedScraper(tx, { name: keyOf(name), source }),
  remove: deleteScrapers,
  stored: databaseScrapers,
  readStored(row, spec) {
    const read = readScraperSpec(splitName(row), spec);
    // An empty specification is one that is still to be written.
    return !read.ok && JSON.stringify(spec) === '{}' ? null : read;
  },
  takeStored: (_tx, { id, is_granted: isGranted, is_paused: isPaused }, { scraper }) =>
    Promise.resolve({
      id,
      scraper,
      source: 'UI',
      trust: 'user',
      author: isGranted ? 'granter' : 'user',
      isPaused,
    }),
  note: (tx, id, problems) =>
    noteReading(
      tx,
      readingJob(id),
      problems.map(({ message }) => message),
    ),
} satisfies Partial<ScraperKind>;

/** Their documents, saved and told to the scheduler. */
export function createScraperRegistry(deps: ScraperRegistryDeps): ScraperRegistry {
  const { scheduler, notify } = deps;
  return new DocumentRegistry(deps, {
    noun: 'scraper',
    nameOf: ({ scraper }) => scraper,
    runsOnWhenRefused: false,
    ...SCRAPER_ROWS,
    /** A changed specification runs soon, whatever its schedule had in mind. */
    start({ id, scraper, isPaused }, isSame) {
      if (isSame) return;
      scheduler.remove(id);
      if (!isPaused) scheduler.set(id, scraper.schedule);
    },
    stop: (id) => scheduler.remove(id),
    changed: (by) => (by === 'file' ? notify('config_scrapers') : undefined),
  } satisfies ScraperKind);
}
