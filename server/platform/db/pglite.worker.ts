/**
 * The thread that owns PGlite, so that a slow query never blocks the server's event loop. Knows nothing of
 * transactions or callers: it runs one statement after the other, in the order of arrival.
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { databaseErrorFacts } from './database-error.ts';
import { makeInterruptible } from './pglite-interrupt.ts';
import type { PgliteAnswer, PgliteRequest, PgliteThreadData } from './pglite-protocol.ts';

const port = parentPort;
if (port === null) throw new Error('pglite.worker runs as a worker thread only');

/** bool, int8, int2, int4, json, float4, float8, date, timestamp, timestamptz, numeric, jsonb: all stay text. */
const DECODED_TYPES = [16, 20, 21, 23, 114, 700, 701, 1082, 1114, 1184, 1700, 3802];
const asText = (value: string) => value;
const BOOL = 16;

// The only code that starts this thread passes exactly this.
const { folder, image, isInterruptible } = workerData as PgliteThreadData;
const interruptible = isInterruptible ? makeInterruptible() : null;
const database = new PGlite({
  ...interruptible?.options,
  ...(folder === null ? {} : { dataDir: folder }),
  ...(image === null ? {} : { loadDataDir: new Blob([readFileSync(image)]) }),
  parsers: Object.fromEntries(DECODED_TYPES.map((type) => [type, asText])),
  serializers: { [BOOL]: asText },
});

async function answer(request: PgliteRequest): Promise<{ text: string | null; affectedRows: number }> {
  switch (request.kind) {
    case 'query': {
      const result = await database.query<(string | null)[]>(request.sql, request.params, {
        rowMode: 'array',
      });
      return { text: result.rows[0]?.[0] ?? null, affectedRows: result.affectedRows ?? 0 };
    }
    case 'script':
      await database.exec(request.sql);
      return { text: null, affectedRows: 0 };
    case 'close':
      await database.close();
      return { text: null, affectedRows: 0 };
  }
}

const send = (message: PgliteAnswer) => port.postMessage(message);

port.on('message', (request: PgliteRequest) => {
  answer(request).then(
    (result) => send({ id: request.id, ok: true, ...result }),
    (error: unknown) => send({ id: request.id, ok: false, error: databaseErrorFacts(error) }),
  );
});

database.waitReady.then(
  () => send({ id: 0, ok: true, text: null, affectedRows: 0, flags: interruptible?.flags() ?? null }),
  (error: unknown) => send({ id: 0, ok: false, error: databaseErrorFacts(error) }),
);
