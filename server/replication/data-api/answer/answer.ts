/** Answers of the data API as plain objects. */
import { DataApiError, rangeError } from '../parse/api-error.ts';
import { JSON_TYPE } from '../parse/media-type.ts';
import type { MediaType } from '../parse/media-type.ts';
import { appliedHeader } from '../parse/preferences.ts';
import type { Preferences } from '../parse/preferences.ts';
import { contentRange, rangeStatus } from '../parse/row-range.ts';

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
  /** How many of them were inserted; null when that is not known. */
  added: number | null;
  body: string;
}

/** How the request wants its answer. */
export interface AnswerOptions {
  preferences: Preferences;
  media: MediaType;
}

const numberOf = (text: string) => (text === '-' ? null : Number(text));

/** Takes apart the text that a read answers: `total returned new`, a line end, the body. */
export function parsePage(text: string | null): Page {
  const whole = text ?? '- 0 -\n[]';
  const lineEnd = whole.indexOf('\n');
  const [total = '-', returned = '0', added = '-'] = whole.slice(0, lineEnd).split(' ');
  return {
    total: numberOf(total),
    returned: Number(returned),
    added: numberOf(added),
    body: whole.slice(lineEnd + 1),
  };
}

/** The only row of the page, or the published refusal. */
function singleObject(page: Page): string {
  if (page.returned !== 1) {
    throw new DataApiError(406, {
      code: 'PGRST116',
      message: 'Cannot coerce the result to a single JSON object',
      details: `The result contains ${page.returned} rows`,
    });
  }
  return page.body.replace(/^\[/, '').replace(/\]$/, '');
}

function withBody(page: Page, { media }: AnswerOptions): Pick<DataApiAnswer, 'headers' | 'body'> {
  return {
    headers: { 'content-type': media.contentType },
    body: media.isSingle ? singleObject(page) : page.body,
  };
}

/** The answer to a read. */
export function answerPage(page: Page, offset: number, options: AnswerOptions): DataApiAnswer {
  const status = rangeStatus(page, offset);
  const range = { 'content-range': contentRange(offset, page.returned, page.total) };
  if (status === 416) {
    const refusal = answerError(
      rangeError(`An offset of ${offset} was requested, but there are only ${page.total} rows.`),
    );
    return { ...refusal, headers: { ...refusal.headers, ...range } };
  }
  const { headers, body } = withBody(page, options);
  const applied = appliedHeader(options.preferences, ['count', 'handling', 'timezone']);
  return { status, headers: { ...headers, ...range, ...applied }, body };
}

const UPDATE_FOLLOWS = ['missing', 'returns', 'count', 'handling', 'timezone', 'maxAffected'] as const;
const DELETE_FOLLOWS = ['returns', 'count', 'handling', 'timezone', 'maxAffected'] as const;
const UPSERT_FOLLOWS = ['returns', 'count', 'handling', 'timezone'] as const;

function refuseTooMany(page: Page, { maxAffected }: Preferences): void {
  if (maxAffected === null || page.returned <= maxAffected) return;
  throw new DataApiError(400, {
    code: 'PGRST124',
    message: 'Query result exceeds max-affected preference constraint',
    details: `The query affects ${page.returned} rows`,
  });
}

/** The answer to an update or a delete: the rows if they were asked for. Throws to have the write taken back. */
export function answerChanged(page: Page, method: 'PATCH' | 'DELETE', options: AnswerOptions): DataApiAnswer {
  const { preferences } = options;
  refuseTooMany(page, preferences);
  const { headers, body } = withBody(page, options);
  const isUpdate = method === 'PATCH';
  const total = preferences.count === null ? null : page.returned;
  const about = {
    'content-range': isUpdate ? contentRange(0, page.returned, total) : `*/${total ?? '*'}`,
    ...appliedHeader(preferences, isUpdate ? UPDATE_FOLLOWS : DELETE_FOLLOWS),
  };
  return preferences.returns === 'representation'
    ? { status: 200, headers: { ...headers, ...about }, body }
    : { status: 204, headers: about, body: '' };
}

export interface InsertFacts {
  /** Path of the one inserted row, where that was asked for. */
  location: string | null;
  /** Whether duplicates could be told. */
  hasKey: boolean;
}

/** The answer to an insert. */
export function answerInserted(page: Page, facts: InsertFacts, options: AnswerOptions): DataApiAnswer {
  const { preferences } = options;
  const { headers, body } = withBody(page, options);
  const total = preferences.count === null ? null : page.returned;
  const about = {
    ...(facts.location === null ? {} : { location: facts.location }),
    'content-range': `*/${total ?? '*'}`,
    ...appliedHeader(
      preferences,
      facts.hasKey ? ['duplicates', ...UPDATE_FOLLOWS.slice(0, -1)] : UPDATE_FOLLOWS.slice(0, -1),
    ),
  };
  const isMerged = preferences.duplicates === 'merge' && (page.added ?? page.returned) === 0;
  const status = isMerged ? 200 : 201;
  return preferences.returns === 'representation'
    ? { status, headers: { ...headers, ...about }, body }
    : { status, headers: about, body: '' };
}

/** The answer to a PUT. */
export function answerPut(page: Page, options: AnswerOptions): DataApiAnswer {
  const { headers, body } = withBody(page, options);
  const about = appliedHeader(options.preferences, UPSERT_FOLLOWS);
  return options.preferences.returns === 'representation'
    ? { status: page.added === 0 ? 200 : 201, headers: { ...headers, ...about }, body }
    : { status: 204, headers: about, body: '' };
}

/** With the status and body that the error brings. */
export function answerError(error: DataApiError): DataApiAnswer {
  return { status: error.status, headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(error.body) };
}
