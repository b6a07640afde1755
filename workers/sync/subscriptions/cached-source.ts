/**
 * Where a cached query's answer comes from: the server, else the device's cache. What came in is parsed with the
 * query's schema on either way, so that nothing of another form is shown or cached.
 */
import { safeParse, type $ZodType, type output } from 'zod/v4/core';
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import type { CachedSource } from './cached-subscription.ts';
import type { DocumentCache } from './document-cache.ts';

export interface SourceParts {
  documents: DocumentCache;
  serverNow: () => number;
  report: (error: unknown) => void;
}

/** `cacheKey` is null for what isn't to be cached. */
export function cachedSource<Result extends $ZodType>(
  { documents, serverNow, report }: SourceParts,
  options: {
    cacheKey: string | null;
    result: Result;
    fetch: (signal: AbortSignal) => Promise<unknown>;
  },
): CachedSource<output<Result>> {
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
      if (cacheKey !== null) await documents.put({ id: cacheKey, asOfMs, body });
      return { value: parsed.data, asOfMs, source: 'server', isPartial: false };
    },
  };
}
