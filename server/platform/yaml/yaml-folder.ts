/**
 * Watches a folder of YAML files (canaries, scrapers). Tells of each file when it was read, changed or removed; a burst of
 * changes to one file is told once. It reads text; what the text means is not its business.
 */
import { readFile, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import type { Logger } from '../logger.ts';

/** Editors write in steps. */
const SETTLE_MS = 150;
const MAX_DEPTH = 10;

export interface YamlFolder {
  /** Paths relative to the folder, with forward slashes. */
  list(): Promise<string[]>;
  read(file: string): Promise<string>;
  /** Calls with the file's path after each change or removal; null text says that it is gone. */
  watch(onChange: (file: string, text: string | null) => void): Promise<() => Promise<void>>;
}

const isYaml = (path: string) => /\.ya?ml$/i.test(path);

/** File names are relative to the folder, with `/` between their parts. */
export function openYamlFolder(folder: string, logger: Logger): YamlFolder {
  const nameOf = (path: string) => relative(folder, path).split(sep).join('/');
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  return {
    async list() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && isYaml(entry.name))
        .map((entry) => nameOf(join(entry.parentPath, entry.name)))
        .toSorted();
    },
    read,
    async watch(onChange) {
      const watcher = watch(folder, {
        ignoreInitial: true,
        depth: MAX_DEPTH,
        ignored: (path, stats) => stats?.isFile() === true && !isYaml(path),
        awaitWriteFinish: { stabilityThreshold: SETTLE_MS, pollInterval: 50 },
      });
      const tell = (path: string) => {
        read(nameOf(path)).then(
          (text) => onChange(nameOf(path), text),
          (error: unknown) =>
            logger.warn({ err: error, folder, file: nameOf(path) }, 'a file could not be read'),
        );
      };
      watcher.on('add', tell).on('change', tell);
      watcher.on('unlink', (path) => onChange(nameOf(path), null));
      watcher.on('error', (error) => logger.error({ err: error, folder }, 'the folder could not be watched'));
      await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
      return () => watcher.close();
    },
  };
}
