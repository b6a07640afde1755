/**
 * Takes what this server keeps secret out of lines, whoever wrote it there. There may be many secrets and many lines:
 * the lines are first looked through as one text, and only what occurs in it is taken out line by line.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRedactor, formsToFind, maybeIn } from '../platform/crypto/redact.ts';
import { openStored } from '../platform/crypto/sealed-values.ts';
import type { Opener } from '../platform/crypto/sealed-values.ts';
import type { Database } from '../platform/db/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Platform } from '../platform/platform.ts';
import { GRANT_KEY } from '../connections/allowed-hosts.ts';
import { readStoredSecrets } from './logs-query.ts';

/** A secret that was entered a moment ago is known after this. */
const KEPT_MS = 15_000;
/** Shorter words stand in every text, and in most secrets. */
const MIN_WORD = 4;
/** A mounted value that is longer is a file, not a secret that stands in a line. */
const MAX_SECRET_BYTES = 64 * 1024;

interface KnownSecretsDeps {
  db: Database;
  sealer: Opener;
  platform: Pick<Platform, 'now'>;
  logger: Logger;
  dataDir: string;
}

export interface KnownSecrets {
  all: () => Promise<readonly string[]>;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return [];
    throw error;
  }
}

/** The values that are mounted below `dataDir/secrets` (server/health/kind/secret-values.ts). */
async function mountedSecrets(dataDir: string): Promise<string[]> {
  const root = join(dataDir, 'secrets');
  const found: string[] = [];
  for (const name of await namesIn(root))
    for (const key of await namesIn(join(root, name))) {
      // Folders of the mount itself begin with a dot.
      if (key === GRANT_KEY || key.startsWith('.')) continue;
      const value = await readFile(join(root, name, key));
      if (value.length <= MAX_SECRET_BYTES) found.push(value.toString('utf8').replace(/\r?\n$/, ''));
    }
  return found;
}

/** One for the server. */
export function createKnownSecrets(deps: KnownSecretsDeps): KnownSecrets {
  const { db, sealer, platform, logger, dataDir } = deps;
  let known: { atMs: number; secrets: Promise<string[]> } | null = null;

  async function read(): Promise<string[]> {
    const kept = (await readStoredSecrets(db)).flatMap(({ source: table, id, path, value, is_sealed }) => {
      if (!is_sealed) return [value];
      try {
        return [openStored(sealer, value, { table, id, path, owner: table })];
      } catch (error) {
        // Sealed with a key that this server does not have: it can't know it.
        logger.warn({ table, err: error }, 'A kept secret could not be opened, so it is not masked in logs');
        return [];
      }
    });
    return [...new Set([...kept, ...(await mountedSecrets(dataDir))])];
  }

  function all(): Promise<string[]> {
    const nowMs = platform.now();
    if (known === null || nowMs - known.atMs > KEPT_MS) {
      const secrets = read();
      known = { atMs: nowMs, secrets };
      // A failed reading is not kept.
      secrets.catch(() => {
        if (known?.secrets === secrets) known = null;
      });
    }
    return known.secrets;
  }

  return { all };
}

/** The lines without what is known, and without what else is secret; those without any stay the same objects. */
export async function maskedLines<Line extends { message: string; labels: Readonly<Record<string, string>> }>(
  lines: readonly Line[],
  known: KnownSecrets,
  others: readonly string[],
): Promise<Line[]> {
  const texts = lines.flatMap(({ message, labels }) => [message, ...Object.values(labels)]);
  const whole = texts.join('\n');
  const own = createRedactor();
  for (const secret of new Set([...(await known.all()), ...others]))
    if (maybeIn(secret, whole)) own.note(secret);
  return lines.map((line) => {
    const message = own.text(line.message);
    const labels = own.value(line.labels);
    return message === line.message && labels === line.labels ? line : { ...line, message, labels };
  });
}

const formsAsText = (secrets: readonly string[]): string =>
  secrets.flatMap(formsToFind).join('\0').toLowerCase();

/** Of a list of secrets, all that masking looks for. */
const formsKnown = new WeakMap<readonly string[], string>();

/**
 * The words that a place may be asked to look for itself: without those that lie within a secret. What it finds there,
 * masked or not, tells by how far a page goes, and how long it takes, whether the word was right; so a secret could be
 * guessed letter by letter. The caller looks for those words, in lines that are masked.
 */
export async function tellableWords(
  words: readonly string[],
  known: KnownSecrets,
  others: readonly string[],
): Promise<readonly string[]> {
  if (words.every((word) => word.length < MIN_WORD)) return words;
  const secrets = await known.all();
  const forms = formsKnown.get(secrets) ?? formsAsText(secrets);
  formsKnown.set(secrets, forms);
  const all = `${forms}\0${formsAsText(others)}`;
  return words.filter((word) => word.length < MIN_WORD || !all.includes(word));
}
