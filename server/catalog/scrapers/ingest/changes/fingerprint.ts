/**
 * Tells apart what happened from when and to which copy it did: two changes of an item with the same fingerprint are
 * the same thing happening again (schema §5.3, Dedupe). Ids, times, hashes, durations and numbers don't count. Pure.
 */
import { createHash } from 'node:crypto';
import { isRecord } from '../../../../../src/lib/is-record.ts';

/** In this order: what comes first would be torn apart by what comes later. */
const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<uuid>'],
  [/\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g, '<time>'],
  [/\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi, '<hash>'],
  [/\b(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d))+\b/g, '<duration>'],
  [/-?\d+(?:\.\d+)?/g, '<number>'],
];
/** What distinguishes changes stands at their beginning; hashing megabytes would only cost time. */
const MAX_TEXT = 200_000;

/** Some sources give JSON as text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    // It only looked like JSON: text is a fine thing to hash.
    return value;
  }
}

function textOf(given: unknown): string {
  const value = parsed(given);
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_name, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** What a fingerprint is made of. */
export interface FingerprintParts {
  changeType: string;
  source: string | null;
  summary: string | null;
  details: unknown;
  patches: unknown;
  diff: string | null;
}

/** Of the first of details, patches, diff and summary that the change has, and of its type and source. */
export function fingerprintOf(change: FingerprintParts): string {
  const content = change.details ?? change.patches ?? change.diff ?? change.summary ?? '';
  let text = textOf(content).slice(0, MAX_TEXT);
  for (const [pattern, token] of TOKENS) text = text.replace(pattern, token);
  return createHash('sha256')
    .update([change.changeType, change.source ?? '', text].join('\u0000'))
    .digest('hex');
}
