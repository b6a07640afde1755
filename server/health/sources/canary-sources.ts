/** The canaries that come from outside the database: files, the program's own, and the server watching itself. */
import { hostname } from 'node:os';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { openYamlFolder } from '../../platform/yaml/yaml-folder.ts';
import { canariesOfSource, databaseCanaries, fileSources } from '../canaries/canary-query.ts';
import type { CanaryRegistry } from '../canaries/canary-registry.ts';
import { readCanary } from '../documents/canary-document.ts';
import { readCanaryFile } from '../documents/canary-file.ts';
import type { FileCanary } from '../documents/canary-file.ts';
import { SELF_SOURCE, selfCanary } from './self-watch.ts';

interface SourceDeps {
  db: Database;
  settings: Settings;
  logger: Logger;
  platform: Platform;
  registry: CanaryRegistry;
  /** The server's own address. */
  url: string;
  /** Canary documents of the program itself, by source: the demo. */
  ownDocuments: ReadonlyMap<string, readonly object[]>;
}

/** Documents of ours are right by construction; one that isn't is a bug to be seen at once. */
function ownDocument(document: object): FileCanary {
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
    const { db, registry, ownDocuments } = this.deps;
    const present = await this.followFiles();
    for (const source of await fileSources(db)) {
      if (!present.has(source) && !ownDocuments.has(source)) await registry.replaceSource(source, []);
    }
    for (const [source, documents] of ownDocuments)
      await registry.replaceSource(source, documents.map(ownDocument));
  }

  /** The server watches itself while nobody gave it anything else, and beside the demo. */
  async watchSelf(): Promise<void> {
    const { db, settings, registry, url } = this.deps;
    const isAlone = settings.canariesDir === null && (await databaseCanaries(db)).length === 0;
    const isThere = (await canariesOfSource(db, SELF_SOURCE)).length > 0;
    const isWanted = isAlone || settings.isDemo;
    if (!isWanted && !isThere) return;
    const isFileDatabase = db.kind === 'pglite';
    const facts = { url, dataDir: settings.dataDir, hostname: hostname(), isFileDatabase };
    await registry.replaceSource(SELF_SOURCE, isWanted ? [ownDocument(selfCanary(facts))] : []);
  }

  async stop(): Promise<void> {
    await this.stopWatching?.();
  }

  private async followFiles(): Promise<Set<string>> {
    const { settings, logger, registry } = this.deps;
    if (settings.canariesDir === null) return new Set();
    const files = openYamlFolder(settings.canariesDir, logger);
    // Watching begins before reading, so that nothing falls in between.
    this.stopWatching = await files.watch((file, text) => this.takeFile(file, text));
    const found = await files.list();
    for (const file of found)
      await registry.replaceSource(file, readCanaryFile(file, await files.read(file)));
    return new Set(found);
  }

  private takeFile(file: string, text: string | null): void {
    const { registry, logger } = this.deps;
    registry
      .replaceSource(file, text === null ? [] : readCanaryFile(file, text))
      .catch((error: unknown) => logger.error({ err: error, file }, 'a canary file could not be taken over'));
  }
}
