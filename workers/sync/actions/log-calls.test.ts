import { beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import type { CachedDocument } from '../../store/store-facts.ts';
import { readLogs } from './log-calls.ts';

type Calls = Parameters<typeof readLogs>[0];

const COMPONENT = '00000000-0000-4000-8000-000000000001';
const page = (over: object = {}) => ({
  componentId: COMPONENT,
  name: 'app',
  query: '',
  start: '1h',
  end: '',
  limit: 10,
  cursor: null,
  page: 0,
  ...over,
});

let documents: Map<string, CachedDocument>;
let nowMs: number;
let server: (body: Record<string, unknown>) => { results: object[]; next: string | null };
beforeEach(() => {
  documents = new Map();
  nowMs = 1000;
});

const calls = (): Calls =>
  ({
    board: { get: () => ({ connection: 'live' }) },
    serverNow: () => nowMs,
    documents: {
      get: async (id: string) => documents.get(id) ?? null,
      put: async (document: CachedDocument) => void documents.set(document.id, document),
    },
    http: {
      send: async ({ body }: { body: Record<string, unknown> }) => ({
        text: JSON.stringify({ total: 1, notes: [], ...server(body) }),
      }),
    },
  }) as unknown as Calls;

const line = (message: string) => ({ timestamp: '2026-01-01T00:00:00.000Z', message, labels: {} });
const textOf = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes);
const away = () => {
  throw new AppError('network', 'away');
};

test('pages of the last look are there without the server, with their age and question, and none of an earlier look', async () => {
  server = ({ cursor }) =>
    cursor === undefined
      ? { results: [line('old 1')], next: 'c1' }
      : { results: [line('old 2')], next: null };
  await readLogs(calls(), page({ query: 'old' }));
  await readLogs(calls(), page({ query: 'old', cursor: 'c1', page: 1 }));
  nowMs = 2000;
  server = () => ({ results: [line('new 1')], next: 'c2' });
  await readLogs(calls(), page());
  server = away;
  const first = await readLogs(calls(), page({ query: 'other', start: '2w' }));
  expect(first).toMatchObject({
    source: 'device',
    asOfMs: 2000,
    question: { query: '', start: '1h' },
    next: null,
  });
  expect(textOf(first)).toContain('new 1');

  server = () => ({ results: [line('new 2')], next: null });
  await readLogs(calls(), page({ cursor: 'c2', page: 1 }));
  server = away;
  const { next } = await readLogs(calls(), page());
  const second = await readLogs(calls(), page({ cursor: next, page: 1 }));
  expect(textOf(second)).toContain('new 2');
  expect(second.next).toBeNull();
});

test('what the server refuses is told, and nothing kept is shown in its place', async () => {
  server = () => ({ results: [line('x')], next: null });
  await readLogs(calls(), page());
  server = () => {
    throw new AppError('server', 'files: no file matches');
  };
  await expect(readLogs(calls(), page())).rejects.toThrow('no file matches');
  server = away;
  await expect(readLogs(calls(), page({ name: 'another' }))).rejects.toThrow('away');
  await expect(readLogs(calls(), page({ page: null, start: '1m' }))).rejects.toThrow('away');
});

test('pages of logs that were looked at long ago make room', async () => {
  server = () => ({ results: [line('x')], next: null });
  for (let at = 0; at < 40; at += 1) await readLogs(calls(), page({ name: `log ${at}` }));
  const bodies = [...documents].filter(([id]) => id.startsWith('logs:')).map(([, { body }]) => body);
  expect(bodies.filter((body) => body !== null)).toHaveLength(30);
});
