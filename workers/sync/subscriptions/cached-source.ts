/**
 * Where a cached query's answer comes from: the server, else the device's cache. What came in is parsed with the
 * query's schema on either way, so that nothing of another form is shown or cached.
 */
import { safeParse, type $ZodType, type output } from 'zod/v4/core';
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import type { CachedDocument } from '../../store/store-facts.ts';
import type { CachedSource } from './cached-subscription.ts';
import type { DocumentCache } from './document-cache.ts';

export interface SourceParts {
  documents: DocumentCache;
  serverNow: () => number;
  /** Calls back after the delay; returns how not to. */
  later: (delayMs: number, callback: () => void) => () => void;
  report: (error: unknown) => void;
}

/**
 * An answer is shown when it is kept, so that what was seen is there without a network as well, but it waits no longer than
 * this: a store that is busy or full is no reason to show what was so before.
 */
const KEEPING_MS = 1000;

async function keep({ documents, later, report }: SourceParts, document: CachedDocument): Promise<void> {
  let cancel = () => {};
  const patience = new Promise<void>((resolve) => {
    cancel = later(KEEPING_MS, resolve);
  });
  await Promise.race([documents.put(document).catch(report), patience]);
  cancel();
}

/** `cacheKey` is null for what isn't to be cached. */
export function cachedSource<Result extends $ZodType>(
  parts: SourceParts,
  options: {
    cacheKey: string | null;
    result: Result;
    fetch: (signal: AbortSignal) => Promise<unknown>;
  },
): CachedSource<output<Result>> {
  const { documents, serverNow, report } = parts;
  const { cacheKey, result } = options;
  return {
    async fromCache() {
      const document = cacheKey === null ? null : await documents.get(cacheKey);
      if (document === null) return null;
      // An older version of the app may have cached another form; then it is as if nothing were there.
      const parsed = safeParse(result, document.body);
      if (!parsed.success) return null;
      return { value: parsed.data, asOfMs: document.asOfMs, source: 'device', isPartial: false };
    },
    async fromServer(signal) {
      const asOfMs = serverNow();
      const body = await options.fetch(signal);
      const parsed = safeParse(result, body);
      if (!parsed.success) {
        const refused = { cause: parsed.error, retryable: true };
        const error = new AppError('bad_payload', ERROR_TEXTS.bad_payload, refused);
        report(error);
        throw error;
      }
      if (cacheKey !== null) await keep(parts, { id: cacheKey, asOfMs, body });
      return { value: parsed.data, asOfMs, source: 'server', isPartial: false };
    },
  };
}
