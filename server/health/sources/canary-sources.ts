/** The canaries that come from outside the database: files, the program's own, and the server watching itself. */
import { hostname } from 'node:os';
import type { Database } from '../../platform/db/database.ts';
import { followSources } from '../../platform/documents/document-sources.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { canariesOfSource, databaseCanaries } from '../canaries/canary-query.ts';
import type { CanaryRegistry } from '../canaries/canary-registry.ts';
import { readCanary } from '../documents/canary-document.ts';
import { readCanaryFile } from '../documents/canary-file.ts';
import { SELF_SOURCE, selfCanary } from './self-watch.ts';

interface SourceDeps {
  db: Database;
  settings: Settings;
  logger: Logger;
  registry: CanaryRegistry;
  /** The server's own address. */
  url: string;
  /** Canary documents of the program itself, by source: the demo. */
  ownDocuments: ReadonlyMap<string, readonly object[]>;
}

/** Documents of ours are right by construction; one that isn't is a bug to be seen at once. */
function ownDocument(document: object) {
  const read = readCanary(document, 'holdfast');
  if (!read.ok) throw new Error(`a built-in canary is wrong: ${JSON.stringify(read.problems)}`);
  return read;
}

/** Reads them, follows their changes until it is stopped, and hands each on to the registry. */
export class CanarySources {
  private readonly deps: SourceDeps;
  private stopWatching: (() => Promise<void>) | null = null;

  constructor(deps: SourceDeps) {
    this.deps = deps;
  }

  /** Takes over what is there and follows its changes. */
  async start(): Promise<void> {
    const { settings, ownDocuments } = this.deps;
    this.stopWatching = await followSources({
      ...this.deps,
      folder: settings.canariesDir,
      readFile: readCanaryFile,
      own: ownDocuments,
      readOwn: ownDocument,
    });
  }

  /** The server watches itself while nobody gave it anything else, and beside the demo. */
  async watchSelf(): Promise<void> {
    const { db, settings, registry, url } = this.deps;
    const isAlone = settings.canariesDir === null && (await databaseCanaries(db)).length === 0;
    const isThere = (await canariesOfSource(db, SELF_SOURCE)).length > 0;
    const isWanted = isAlone || settings.isDemo;
    if (!isWanted && !isThere) return;
    const facts = { url, dataDir: settings.dataDir, hostname: hostname(), databaseFolder: db.ownFolder };
    await registry.replaceSource(SELF_SOURCE, isWanted ? [ownDocument(selfCanary(facts))] : []);
  }

  async stop(): Promise<void> {
    await this.stopWatching?.();
  }
}
