/**
 * The scrapers that run, kept in step with files and the database. Owns which comes from where; saves those of
 * files and tells the scheduler. Changes are applied one after the other, so that two quick edits can't cross.
 */
import type { Database, Queryable } from '../../../platform/db/database.ts';
import type { FileDocument } from '../../../platform/yaml/yaml-file.ts';
import { tryOpenContent } from '../../../platform/crypto/sealed-values.ts';
import type { Opener } from '../../../platform/crypto/sealed-values.ts';
import type { SpecAuthor } from '../../../connections/secret-scope.ts';
import type { EgressTrust } from '../../../platform/egress/egress-guard.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Scheduler } from '../../../platform/jobs/scheduler.ts';
import { noteReading } from './job-query.ts';
import { readScraperSpec } from '../specs/scraper-document.ts';
import type { Scraper } from '../specs/scraper-document.ts';
import {
  databaseScrapers,
  deleteScrapers,
  ensureRefusedScraper,
  lockFileScrapers,
  saveFileScraper,
  scrapersOfSource,
} from '../specs/scraper-query.ts';
import type { StoredScraper } from '../specs/scraper-query.ts';

export interface RunningScraper {
  id: string;
  scraper: Scraper;
  source: string;
  trust: EgressTrust;
  author: SpecAuthor;
}

export type FileScraper = FileDocument<{ ok: true; scraper: Scraper }>;

interface RegistryDeps {
  db: Database;
  sealer: Opener;
  scheduler: Pick<Scheduler, 'set' | 'remove'>;
  logger: Logger;
  notify: (table: string) => void;
}

const keyOf = ({ name, namespace }: { name: string; namespace: string }) => `${namespace}/${name}`;

/** A document that names a scraper twice would have the second undo the first. */
function withoutDuplicates(source: string, found: readonly FileScraper[]): FileScraper[] {
  const seen = new Set<string>();
  return found.map((document) => {
    const named = document.ok ? document.scraper : document;
    const key = keyOf(named);
    if (!seen.has(key)) {
      seen.add(key);
      return document;
    }
    const message = `${source}:1: metadata.name: the scraper ${key} is in this file twice`;
    return {
      ok: false,
      name: `${named.name} (second)`,
      namespace: named.namespace,
      problems: [{ file: source, line: 1, field: 'metadata.name', message }],
    };
  });
}

/** A file that can't even be read as documents says nothing about which of its scrapers are gone. */
const isUnreadable = (source: string, found: readonly FileScraper[]) =>
  found.some((document) => !document.ok && document.name.startsWith(source));

/** `namespace/name` of a stored name; one without a slash is in the namespace of its row, if that names one. */
function splitName({ name, namespace }: { name: string; namespace: string | null }) {
  const slash = name.indexOf('/');
  return slash > 0
    ? { namespace: name.slice(0, slash), name: name.slice(slash + 1) }
    : { namespace: namespace || 'default', name };
}

export class ScraperRegistry {
  private readonly deps: RegistryDeps;
  private readonly running = new Map<string, RunningScraper>();
  private last: Promise<void> = Promise.resolve();

  constructor(deps: RegistryDeps) {
    this.deps = deps;
  }

  get(id: string): RunningScraper | undefined {
    return this.running.get(id);
  }

  /** Makes the scrapers of one file exactly these; what was refused keeps its row and is reported. */
  replaceSource(source: string, found: readonly FileScraper[]): Promise<void> {
    return this.inOrder(() => this.replace(source, found));
  }

  /** Reads the scrapers that are kept in the database. */
  syncDatabase(): Promise<void> {
    return this.inOrder(async () => {
      const rows = await databaseScrapers(this.deps.db);
      for (const row of rows) await this.syncOne(row);
      const live = new Set(rows.map(({ id }) => id));
      for (const { id, trust } of this.running.values()) if (trust === 'user' && !live.has(id)) this.drop(id);
    });
  }

  /** One change at a time; a failure is the caller's, not the next one's. */
  private inOrder(work: () => Promise<void>): Promise<void> {
    const mine = this.last.then(work);
    this.last = mine.catch(() => {});
    return mine;
  }

  /** A changed specification runs soon, whatever its schedule had in mind. */
  private adopt(entry: RunningScraper): void {
    const { scheduler } = this.deps;
    const known = this.running.get(entry.id);
    const isSame = JSON.stringify(known?.scraper) === JSON.stringify(entry.scraper);
    if (isSame && known?.author === entry.author) return;
    this.running.set(entry.id, entry);
    scheduler.remove(entry.id);
    scheduler.set(entry.id, entry.scraper.schedule);
  }

  private drop(id: string): void {
    this.running.delete(id);
    this.deps.scheduler.remove(id);
  }

  private async replace(source: string, found: readonly FileScraper[]): Promise<void> {
    const { db, notify } = this.deps;
    const before = await scrapersOfSource(db, source);
    const kept = new Set<string>(isUnreadable(source, found) ? before : []);
    const saved: RunningScraper[] = [];
    const refused: string[] = [];
    await db.transaction(async (tx) => {
      await lockFileScrapers(tx);
      for (const document of withoutDuplicates(source, found)) {
        const id = document.ok
          ? await saveFileScraper(tx, { name: keyOf(document.scraper), source }, document.scraper.spec)
          : await this.refuse(tx, source, document);
        kept.add(id);
        if (document.ok) {
          await noteReading(tx, id, []);
          saved.push({ id, scraper: document.scraper, source, trust: 'operator', author: 'operator' });
        } else refused.push(id);
      }
      await deleteScrapers(
        tx,
        before.filter((id) => !kept.has(id)),
      );
    });
    for (const entry of saved) this.adopt(entry);
    for (const id of [...before.filter((each) => !kept.has(each)), ...refused]) this.drop(id);
    notify('config_scrapers');
  }

  private async refuse(
    tx: Queryable,
    source: string,
    document: Extract<FileScraper, { ok: false }>,
  ): Promise<string> {
    const id = await ensureRefusedScraper(tx, { name: keyOf(document), source });
    const messages = document.problems.map(({ message }) => message);
    await noteReading(tx, id, messages);
    for (const message of messages) this.deps.logger.warn({ source }, message);
    return id;
  }

  private async syncOne(stored: StoredScraper): Promise<void> {
    const { id, sealed, is_granted: isGranted } = stored;
    const { db, sealer } = this.deps;
    const owner = `scraper "${stored.name}"`;
    const { content: spec, problem } = tryOpenContent(sealer, { id, owner, content: stored.spec, sealed });
    if (problem !== null) {
      this.drop(id);
      await db.transaction((tx) => noteReading(tx, id, [problem]));
      return;
    }
    const read = readScraperSpec(splitName(stored), spec);
    if (!read.ok) {
      this.drop(id);
      // An empty specification is one that is still to be written.
      if (JSON.stringify(spec) !== '{}')
        await db.transaction((tx) =>
          noteReading(
            tx,
            id,
            read.problems.map(({ field, message }) => `${field}: ${message}`),
          ),
        );
      return;
    }
    if (this.running.get(id) === undefined) await db.transaction((tx) => noteReading(tx, id, []));
    const author = isGranted ? 'granter' : 'user';
    this.adopt({ id, scraper: read.scraper, source: 'UI', trust: 'user', author });
  }
}
