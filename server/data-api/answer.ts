/** Answers of the data API as plain objects. */
import { DataApiError } from './api-error.ts';
import type { Preferences } from './preferences.ts';

export interface DataApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A page as the database wrote it. */
export interface Page {
  /** All rows that match; null when not counted. */
  total: number | null;
  returned: number;
  /** JSON. */
  body: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const OBJECT_TYPE = 'application/vnd.pgrst.object+json; charset=utf-8';

/** Takes apart the text that a read answers: `total returned`, a line end, the JSON. */
export function parsePage(text: string | null): Page {
  const whole = text ?? '- 0\n[]';
  const lineEnd = whole.indexOf('\n');
  const [total = '-', returned = '0'] = whole.slice(0, lineEnd).split(' ');
  return {
    total: total === '-' ? null : Number(total),
    returned: Number(returned),
    body: whole.slice(lineEnd + 1),
  };
}

function contentRange(page: Page, offset: number): string {
  const range = page.returned === 0 ? '*' : `${offset}-${offset + page.returned - 1}`;
  return `${range}/${page.total ?? '*'}`;
}

/** The only row of the page, or the contract's refusal. */
function singleObject(page: Page): string {
  if (page.returned !== 1) {
    throw new DataApiError(406, {
      code: 'PGRST116',
      message: 'JSON object requested, multiple (or no) rows returned',
      details: `The result contains ${page.returned} rows`,
    });
  }
  return page.body.replace(/^\[/, '').replace(/\]$/, '');
}

function pageBody(page: Page, { isSingleObject }: Preferences): Pick<DataApiAnswer, 'headers' | 'body'> {
  return isSingleObject
    ? { headers: { 'content-type': OBJECT_TYPE }, body: singleObject(page) }
    : { headers: { 'content-type': JSON_TYPE }, body: page.body };
}

/** The answer to a read. */
export function answerPage(page: Page, offset: number, preferences: Preferences): DataApiAnswer {
  if (page.total !== null && offset > page.total) {
    throw new DataApiError(416, {
      code: 'PGRST103',
      message: 'Requested range not satisfiable',
      details: `An offset of ${offset} was requested, but there are only ${page.total} rows.`,
    });
  }
  const { headers, body } = pageBody(page, preferences);
  const isPart = page.total !== null && page.returned < page.total;
  return {
    status: isPart ? 206 : 200,
    headers: { ...headers, 'content-range': contentRange(page, offset) },
    body,
  };
}

/** The answer to a write: the rows if they were asked for. */
export function answerWritten(page: Page, isInsert: boolean, preferences: Preferences): DataApiAnswer {
  const range = { 'content-range': `*/${preferences.withTotal ? page.returned : '*'}` };
  if (preferences.returns !== 'representation') {
    // Refused here already, so that the transaction is rolled back.
    if (preferences.isSingleObject) singleObject(page);
    return { status: isInsert ? 201 : 204, headers: range, body: '' };
  }
  const { headers, body } = pageBody(page, preferences);
  return { status: isInsert ? 201 : 200, headers: { ...headers, ...range }, body };
}

export function answerError(error: DataApiError): DataApiAnswer {
  return { status: error.status, headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(error.body) };
}
