/** For tests only: one call of the original client, as its HTTP library sends it, and the answer that it expects. */
import { expect } from 'vitest';
import type { TestBrowser } from '../../security/support/test-browser.ts';
import { PERSON } from './ids.ts';

export interface Call {
  /** Of the contract. */
  section: string;
  /** The promise. */
  name: string;
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As the browser sends it, behind the origin. */
  path: string;
  body?: unknown;
  /** Lists that need a total ask for it instead of for the representation. */
  isCounted?: true;
  /** Headers that only some of its clients send. */
  headers?: Record<string, string>;
  /** 200 unless said. */
  status?: number | readonly number[];
  /** Columns that every row has; the answer is then a list. */
  columns?: string;
  /** The least number of rows. */
  atLeast?: number;
  check?: (json: never, answer: Response) => void;
}

/** What every one of its axios clients sends (contract §1.1). */
const CLIENT_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

function checkRows(call: Call, json: unknown): void {
  expect(Array.isArray(json)).toBe(true);
  const rows = json as Record<string, unknown>[];
  expect(rows.length).toBeGreaterThanOrEqual(call.atLeast ?? 0);
  const columns = (call.columns ?? '').split(/[\s,]+/).filter((column) => column !== '');
  for (const row of rows) for (const column of columns) expect(row).toHaveProperty([column]);
}

/** What it writes names its own user as author. */
const signed = (body: unknown, senderId: string) =>
  JSON.stringify(body).replaceAll(`"created_by":"${PERSON}"`, `"created_by":"${senderId}"`);

/** Sends the call, as whoever is signed in with that id, and judges the answer. */
export async function replay(browser: TestBrowser, call: Call, senderId: string): Promise<void> {
  const prefer = call.isCounted === true ? 'count=exact' : 'return=representation';
  const answer = await browser.send(call.method ?? 'GET', call.path, {
    headers: { ...CLIENT_HEADERS, prefer, ...call.headers },
    ...(call.body === undefined ? {} : { body: signed(call.body, senderId) }),
  });
  const text = await answer.text();
  const expected = call.status ?? (call.isCounted === true ? [200, 206] : 200);
  expect(Array.isArray(expected) ? expected : [expected], text.slice(0, 500)).toContain(answer.status);
  if (answer.status >= 500) expect(answer.status, text).toBe(501);
  if (call.isCounted === true) {
    expect(answer.headers.get('content-range')).toMatch(/^(?:\d+-\d+|\*)\/\d+$/);
  }
  const isJson = answer.headers.get('content-type')?.includes('json') === true && text !== '';
  const json: unknown = isJson ? JSON.parse(text) : text;
  if (call.columns !== undefined) checkRows(call, json);
  call.check?.(json as never, answer);
}
