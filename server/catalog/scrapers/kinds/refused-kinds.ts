/**
 * Kinds of other products that this server doesn't run, each with one sentence that says why and what to use
 * instead: a specification that names them still runs with the rest of it.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import type { ScraperKind } from '../specs/scraped.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

/** By the key of the kind. */
export const REFUSED_REASONS = lookupTable<string>({
  pubsub:
    'messages of a queue are gone once they are read; let their sender report changes through the API, or read them with logs',
});

const refused = (kind: string, reason: string): ScraperKind => ({
  kind,
  scrape: async () => {
    throw new AppError('invalid', `kind: ${reason}`);
  },
});

/** Kinds that are known and never run; a list of what can be scraped leaves them out. */
export const isRefused = (kind: string): boolean => Object.hasOwn(REFUSED_REASONS, kind);

export const REFUSED_KINDS: readonly ScraperKind[] = Object.entries(REFUSED_REASONS).map(([kind, reason]) =>
  refused(kind, reason),
);
