/**
 * Logs from the server, and what was looked at last from this device (docs/logs.md). The first pages of a component's
 * selector are kept, of the selectors that were looked at last; a later look takes their place.
 */
import { z } from 'zod';
import { AppError, ERROR_TEXTS, OFFLINE_TEXT } from '../../../src/contract/errors.ts';
import { logPageSchema, type AskedLog, type ReadLogs } from '../../../src/contract/logs/log-pages.ts';
import {
  logsAnswerSchema,
  logTestedSchema,
  type LogsAnswer,
  type LogTest,
  type LogTested,
} from '../../../src/contract/logs/logs.ts';
import type { HttpClient } from '../network/http-client.ts';
import type { StatusBoard } from '../status/status-board.ts';
import type { DocumentCache } from '../subscriptions/document-cache.ts';

type Page = z.output<typeof logPageSchema>;

export interface LogCalls {
  http: HttpClient;
  board: StatusBoard;
}
interface KeepingCalls extends LogCalls {
  documents: DocumentCache;
  serverNow: () => number;
}

/** The server gives a backend less. */
const TIMEOUT_MS = 40_000;
/** Pages of a log that are kept, and logs of which some are. */
const KEPT_PAGES = 4;
const KEPT_LOGS = 30;
/** A kept page of very long lines would be most of what a device has room for. */
const MAX_KEPT_CHARS = 4_000_000;
const INDEX_KEY = 'logs-kept';
const KEPT_CURSOR = 'kept:';

const keptSchema = z.object({
  /** The same for the pages of one look. */
  look: z.string(),
  question: z.object({ query: z.string(), start: z.string(), end: z.string() }),
  answer: logsAnswerSchema,
});
const indexSchema = z.object({ logs: z.array(z.string()) });

const logOf = ({ componentId, name }: Pick<Page, 'componentId' | 'name'>) => `logs:${componentId}:${name}`;
const keyOf = (log: string, page: number) => `${log}:${page}`;

function requireServer(board: StatusBoard): void {
  const { connection } = board.get();
  if (connection !== 'offline' && connection !== 'server-unreachable') return;
  const text = connection === 'offline' ? OFFLINE_TEXT : ERROR_TEXTS.network;
  throw new AppError('network', text, { retryable: true });
}

function readOut(
  answer: LogsAnswer,
  { asOfMs, source, question, next }: Pick<ReadLogs, 'asOfMs' | 'source' | 'question' | 'next'>,
): ReadLogs {
  return {
    bytes: new TextEncoder().encode(JSON.stringify(answer)),
    lines: answer.results.length,
    total: answer.total,
    notes: answer.notes ?? [],
    isPartial: answer.isPartial ?? false,
    asOfMs,
    source,
    question,
    next,
  };
}

/** Pages of logs that were looked at long ago make room. */
async function noteLog(documents: DocumentCache, log: string, asOfMs: number): Promise<void> {
  const parsed = indexSchema.safeParse((await documents.get(INDEX_KEY))?.body);
  const before = parsed.success ? parsed.data.logs : [];
  const logs = [log, ...before.filter((one) => one !== log)];
  for (const old of logs.slice(KEPT_LOGS))
    for (let page = 0; page < KEPT_PAGES; page += 1)
      await documents.put({ id: keyOf(old, page), asOfMs, body: null });
  await documents.put({ id: INDEX_KEY, asOfMs, body: { logs: logs.slice(0, KEPT_LOGS) } });
}

async function keep(
  { documents }: KeepingCalls,
  page: Page,
  { answer, asOfMs, size }: { answer: LogsAnswer; asOfMs: number; size: number },
): Promise<void> {
  if (page.page === null || page.page >= KEPT_PAGES || size > MAX_KEPT_CHARS) return;
  const log = logOf(page);
  const { query, start, end } = page;
  const first = page.page === 0 ? null : keptSchema.safeParse((await documents.get(keyOf(log, 0)))?.body);
  const look = page.page === 0 ? String(asOfMs) : first?.success === true ? first.data.look : null;
  if (look === null) return;
  await documents.put({
    id: keyOf(log, page.page),
    asOfMs,
    body: { look, question: { query, start, end }, answer },
  });
  if (page.page === 0) await noteLog(documents, log, asOfMs);
}

/** A page that was kept; null when there is none of the same look. */
async function kept({ documents }: KeepingCalls, log: string, at: { page: number; look: string | null }) {
  const document = await documents.get(keyOf(log, at.page));
  const parsed = keptSchema.safeParse(document?.body);
  if (document === null || !parsed.success || (at.look !== null && parsed.data.look !== at.look)) return null;
  return { ...parsed.data, asOfMs: document.asOfMs };
}

async function fromDevice(calls: KeepingCalls, page: Page): Promise<ReadLogs | null> {
  const log = logOf(page);
  const [, number = '0', look = null] = /^kept:(\d+):(\d+)$/.exec(page.cursor ?? '') ?? [];
  const found = await kept(calls, log, { page: Number(number), look });
  if (found === null) return null;
  const after = await kept(calls, log, { page: Number(number) + 1, look: found.look });
  const next = after === null ? null : `${KEPT_CURSOR}${Number(number) + 1}:${found.look}`;
  return readOut(found.answer, { asOfMs: found.asOfMs, source: 'device', question: found.question, next });
}

async function fromServer(calls: KeepingCalls, page: Page): Promise<ReadLogs> {
  const { http, board, serverNow } = calls;
  requireServer(board);
  const { componentId: id, name, query, start, end, limit, cursor } = page;
  const asOfMs = serverNow();
  const body = { id, name, query, start, end, limit, ...(cursor === null ? {} : { cursor }) };
  const { text } = await http.send({ path: '/api/logs', method: 'POST', body, timeoutMs: TIMEOUT_MS });
  const answer = logsAnswerSchema.parse(JSON.parse(text));
  await keep(calls, page, { answer, asOfMs, size: text.length });
  const question: AskedLog = { query, start, end };
  return readOut(answer, { asOfMs, source: 'server', question, next: answer.next ?? null });
}

/** Throws what the server said; for what is offline, what was kept is there instead. */
export async function readLogs(calls: KeepingCalls, asked: unknown): Promise<ReadLogs> {
  const page = logPageSchema.parse(asked);
  if (page.cursor?.startsWith(KEPT_CURSOR) !== true) {
    try {
      return await fromServer(calls, page);
    } catch (error) {
      const isAway = error instanceof AppError && (error.code === 'network' || error.code === 'timeout');
      if (!isAway || page.page !== 0) throw error;
      const found = await fromDevice(calls, page);
      if (found === null) throw error;
      return found;
    }
  }
  const found = await fromDevice(calls, page);
  if (found === null) throw new AppError('not_found', ERROR_TEXTS.not_found);
  return found;
}

/** Has the server ask a log backend, with somebody waiting. Never queued: offline it is refused. */
export async function testLogBackend({ http, board }: LogCalls, tested: LogTest): Promise<LogTested> {
  requireServer(board);
  const path = '/api/logs/test';
  return logTestedSchema.parse(
    await http.json({ path, method: 'POST', body: tested, timeoutMs: TIMEOUT_MS }),
  );
}
