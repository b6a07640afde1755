/** Tells what a file of another program is, and what its monitors become here. */
import { z } from 'zod';
import { isBlackbox, readBlackbox } from './blackbox.ts';
import { isGatus, readGatus } from './gatus.ts';
import { recordOf } from '../../lib/is-record.ts';
import { entryOf, MAX_IMPORT_ENTRIES, type ImportEntry } from './import-entry.ts';
import { isUptimeKuma, readUptimeKuma } from './uptime-kuma.ts';

export type ImportFormat = 'uptime-kuma' | 'gatus' | 'blackbox' | 'canaries';

export interface ReadImport {
  format: ImportFormat;
  entries: ImportEntry[];
  /** Beyond those that are shown. */
  more: number;
}

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const texts = z.record(z.string(), text).nullish();
const canarySchema = z.object({
  metadata: z.object({ name: text, namespace: text.nullish(), labels: texts, annotations: texts }),
  spec: z.record(z.string(), z.unknown()),
});
const listSchema = z.object({ kind: z.string().regex(/List$/), items: z.array(z.unknown()) });

/** As kubectl writes several objects: in a list, or in an array. */
function objectsIn(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  const list = listSchema.safeParse(document);
  return list.success ? list.data.items : [document];
}

/** What stands beside canaries in their files is not theirs. */
function readCanaries(documents: readonly unknown[]): ImportEntry[] {
  const canaries = documents.flatMap(objectsIn).filter((one) => recordOf(one)['kind'] === 'Canary');
  return canaries.map((document, at) => {
    const read = canarySchema.safeParse(document);
    if (!read.success) {
      const called = recordOf(recordOf(document)['metadata'])['name'];
      const name = typeof called === 'string' && called !== '' ? called : `canary ${at + 1}`;
      return entryOf({ name, schedule: null }, 'It could not be read: it has no name, or no spec.');
    }
    const { metadata, spec } = read.data;
    const { name, namespace = null, labels, annotations } = metadata;
    const own = annotations == null || Object.keys(annotations).length === 0 ? {} : { annotations };
    return { name, namespace, labels: labels ?? {}, ...own, spec, notes: [] };
  });
}

/** Names that stand twice are numbered: each is a canary of its own. */
function numbered(entries: readonly ImportEntry[]): ImportEntry[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const key = `${entry.namespace ?? ''}/${entry.name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? entry : { ...entry, name: `${entry.name} (${count})` };
  });
}

/** The documents of a file, parsed; null for a file of none of the formats, or with nothing in it. */
export function readImport(documents: readonly unknown[]): ReadImport | null {
  const [first] = documents;
  const formats: [ImportFormat, () => boolean, () => ImportEntry[]][] = [
    ['uptime-kuma', () => isUptimeKuma(first), () => readUptimeKuma(first)],
    ['canaries', () => readCanaries(documents).length > 0, () => readCanaries(documents)],
    ['gatus', () => isGatus(first), () => readGatus(first)],
    ['blackbox', () => isBlackbox(first), () => readBlackbox(first)],
  ];
  for (const [format, isIt, read] of formats) {
    if (!isIt()) continue;
    const entries = read();
    if (entries.length === 0) return null;
    const shown = numbered(entries.slice(0, MAX_IMPORT_ENTRIES));
    return { format, entries: shown, more: entries.length - shown.length };
  }
  return null;
}
