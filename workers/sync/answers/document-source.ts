/** An answer that is one document of the server's: kept as it came, parsed whenever it is read. */
import type { z } from 'zod';
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import type { AnswerSource, DocumentShelf } from './kept-answers.ts';

export function documentSource<T>(options: {
  id: string;
  schema: z.ZodType<T>;
  shelf: DocumentShelf;
  serverNow: () => number;
  fetch: (signal: AbortSignal) => Promise<unknown>;
}): AnswerSource<T> {
  const { id, schema, shelf, serverNow } = options;
  return {
    async fromDevice() {
      const document = await shelf.get(id);
      if (document === null) return null;
      // An older version of the app may have kept another form; then it is as if nothing were kept.
      const parsed = schema.safeParse(document.body);
      if (!parsed.success) return null;
      return { value: parsed.data, asOfMs: document.asOfMs, source: 'device', isPartial: false };
    },
    async fromServer(signal) {
      const asOfMs = serverNow();
      const body = await options.fetch(signal);
      const parsed = schema.safeParse(body);
      if (!parsed.success)
        throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { cause: parsed.error, retryable: true });
      await shelf.put({ id, asOfMs, body });
      return { value: parsed.data, asOfMs, source: 'server', isPartial: false };
    },
  };
}
