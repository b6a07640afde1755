/** The documents of a kind that come from outside the database: a folder of files, which is watched, and our own. */
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { reasonOf } from '../reason-of.ts';
import type { FileDocument } from '../yaml/yaml-file.ts';
import { openYamlFolder } from '../yaml/yaml-folder.ts';

interface SourcesDeps<Read extends { ok: true }> {
  db: Database;
  logger: Logger;
  registry: {
    kind: { noun: string; sources: (db: Database) => Promise<string[]> };
    replaceSource(source: string, found: readonly FileDocument<Read>[]): Promise<void>;
  };
  folder: string | null;
  readFile: (file: string, text: string) => FileDocument<Read>[];
  /** Files of the folder that are none of ours. */
  isForeign?: (file: string) => boolean;
  /** Documents of the program itself, by source: the demo. */
  own: ReadonlyMap<string, readonly object[]>;
  /** They are right by construction; throws for one that isn't, a bug to be seen at once. */
  readOwn: (document: object) => Read;
}

/** Takes over what is there and follows its changes; answers how to end that. */
export async function followSources<Read extends { ok: true }>(
  deps: SourcesDeps<Read>,
): Promise<() => Promise<void>> {
  const { db, logger, registry, folder, readFile, isForeign = () => false, own, readOwn } = deps;
  const failed = (file: string, error: unknown) =>
    logger.error(
      { file, reason: reasonOf(error) },
      `a file with a ${registry.kind.noun} could not be taken over`,
    );
  const takeOver = (file: string, text: string | null) =>
    registry.replaceSource(file, text === null ? [] : readFile(file, text));
  const files = folder === null ? null : openYamlFolder(folder, logger);

  // Watching begins before reading, so that nothing falls in between.
  const stop = await files?.watch((file, text) => {
    if (!isForeign(file)) takeOver(file, text).catch((error: unknown) => failed(file, error));
  });
  const present = new Set((await files?.list())?.filter((file) => !isForeign(file)));
  for (const file of present) {
    try {
      await takeOver(file, (await files?.read(file)) ?? null);
    } catch (error) {
      failed(file, error);
    }
  }
  for (const source of await registry.kind.sources(db)) {
    if (!present.has(source) && !own.has(source)) await registry.replaceSource(source, []);
  }
  for (const [source, documents] of own) await registry.replaceSource(source, documents.map(readOwn));
  return async () => stop?.();
}
