/** Parses a live question; by hand for the same reason as parse-question.ts, and held to the contract by a test. */
import { isRecord } from '../../../src/lib/is-record.ts';
import type { CollectionName } from '../../../src/contract/collections.ts';
import type { Condition, LiveQuestion } from '../../../src/contract/live-query.ts';
import { flag, parseWindow, refuse, text } from '../question-fields.ts';
import { STORE_KINDS } from './read-collection.ts';

const MAX_SEARCH_CHARS = 1000;

type Scalar = string | number | boolean | null;

function scalar(value: unknown): Scalar {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : refuse('value');
}

function list(value: unknown, field: string): unknown[] {
  return Array.isArray(value) ? value : refuse(field);
}

function isCollection(value: string): value is CollectionName {
  return Object.hasOwn(STORE_KINDS, value);
}

function conditionOf(value: unknown): Condition {
  if (!isRecord(value)) return refuse('where');
  const field = text(value.field, 'field');
  switch (value.op) {
    case 'eq':
    case 'not':
    case 'gte':
    case 'lte':
      return { field, op: value.op, value: scalar(value.value) };
    case 'in':
    case 'not-in':
      return { field, op: value.op, values: list(value.values, 'values').map(scalar) };
    default:
      return refuse('op');
  }
}

function sortOf(value: unknown): LiveQuestion['sort'][number] {
  if (!isRecord(value)) return refuse('sort');
  return { field: text(value.field, 'sort'), isDescending: flag(value.isDescending, 'sort') };
}

/** A live question, or an error that names the field; a window that is too large is cut at its end. */
export function parseLiveQuestion(value: unknown): LiveQuestion {
  if (!isRecord(value)) return refuse('form');
  const collection = text(value.collection, 'collection');
  const search = text(value.search, 'search');
  return {
    collection: isCollection(collection) ? collection : refuse('collection'),
    where: list(value.where, 'where').map(conditionOf),
    search: search.length <= MAX_SEARCH_CHARS ? search : refuse('search'),
    sort: list(value.sort, 'sort').map(sortOf),
    groupBy: value.groupBy === null ? null : text(value.groupBy, 'groupBy'),
    window: parseWindow(value.window),
  };
}
