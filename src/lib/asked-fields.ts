/** Fields that entries of a document have to have beyond what its schema says: the same words for a form and a server. */
import { isRecord, recordOf } from './is-record.ts';

export interface AskedFields {
  /** By the key under which entries stand. */
  of: Readonly<Record<string, readonly string[]>>;
  /** Entries say it themselves where this field of the document is true. */
  unless?: string | undefined;
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The places that are empty. */
export function missingFields({ of, unless }: AskedFields, document: unknown): (string | number)[][] {
  const parts = recordOf(document);
  if (unless !== undefined && parts[unless] === true) return [];
  return Object.entries(of).flatMap(([key, fields]) => {
    const list: unknown = parts[key];
    const entries: readonly unknown[] = Array.isArray(list) ? list : [];
    return entries.flatMap((entry, at) =>
      isRecord(entry) ? fields.filter((name) => isEmpty(entry[name])).map((name) => [key, at, name]) : [],
    );
  });
}
