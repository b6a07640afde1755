/**
 * The index of a helm repository. It may hold megabytes about hundreds of charts, and reading all of it as YAML would hold
 * up the server: lines are looked through for the chart and its versions, and only what is said of one version is read.
 */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { readYaml } from '../../../../src/lib/read-yaml.ts';

/** Of what is read as YAML: an index that is not written line by line, as helm writes it, or what is said of one version. */
const MAX_WHOLE_LENGTH = 256 * 1024;

const entrySchema = z.looseObject({
  version: z.coerce.string(),
  urls: z.array(z.string()).default([]),
  digest: z.string().optional(),
  appVersion: z.coerce.string().optional(),
  created: z.coerce.string().optional(),
});
/** What the index says of one version. */
export type ChartEntry = z.output<typeof entrySchema>;
const wholeSchema = z.object({ entries: z.record(z.string(), z.array(entrySchema)) });

interface Candidate {
  version: string;
  read: () => ChartEntry;
}

const indentOf = (line: string): string => /^ */.exec(line)?.[0] ?? '';
const saysNothing = (line: string): boolean => /^\s*(#|$)/.test(line);

/** The lines below a key, up to the next one that is indented like it or less; null where there is no such key. */
function linesBelow(lines: readonly string[], key: string): string[] | null {
  const start = lines.findIndex((line) => line.trimEnd() === key);
  if (start < 0) return null;
  const indent = indentOf(key).length;
  const isEnd = (line: string) => {
    const own = indentOf(line).length;
    // The list of a key may stand as far to the left as the key.
    return !saysNothing(line) && (own < indent || (own === indent && line[own] !== '-'));
  };
  const length = lines.slice(start + 1).findIndex(isEnd);
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
}

/** The items of a list, each with its lines. */
function itemsOf(lines: readonly string[]): string[][] {
  const dash = `${indentOf(lines.find((line) => !saysNothing(line)) ?? '')}- `;
  const items: string[][] = [];
  for (const line of lines) {
    if (line.startsWith(dash)) items.push([line]);
    else items.at(-1)?.push(line);
  }
  return items;
}

function entryOf(item: readonly string[]): ChartEntry {
  const text = item.join('\n');
  if (text.length > MAX_WHOLE_LENGTH)
    throw new AppError('bad_payload', 'the index says too much of one version');
  return z.tuple([entrySchema]).parse(readYaml(text))[0];
}

function candidateOf(item: readonly string[]): Candidate[] {
  const indent = indentOf(item[0] ?? '').length + 2;
  for (const line of item) {
    const version = /^version: *["']?([^"'\s]+)/.exec(line.slice(indent))?.[1];
    if (version !== undefined && /^[ -]*$/.test(line.slice(0, indent)))
      return [{ version, read: () => entryOf(item) }];
  }
  return [];
}

function candidates(index: string, chart: string): Candidate[] {
  const lines = index.split(/\r?\n/);
  const entries = linesBelow(lines, 'entries:');
  if (entries !== null) {
    const indent = indentOf(entries.find((line) => !saysNothing(line)) ?? '');
    return itemsOf(linesBelow(entries, `${indent}${chart}:`) ?? []).flatMap(candidateOf);
  }
  if (index.length > MAX_WHOLE_LENGTH)
    throw new AppError('bad_payload', 'the index is not one that helm wrote');
  const read = wholeSchema.safeParse(readYaml(index));
  if (!read.success) throw new AppError('bad_payload', 'index.yaml is no index of charts');
  return (read.data.entries[chart] ?? []).map((entry) => ({ version: entry.version, read: () => entry }));
}

/** Major, minor and patch; null for a pre-release, which helm does not choose by itself either. */
function released(version: string): [number, number, number] | null {
  const found = /^v?(\d+)\.(\d+)\.(\d+)(?:\+.*)?$/.exec(version);
  return found === null ? null : [Number(found[1]), Number(found[2]), Number(found[3])];
}

function isNewer(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((part, place) => part !== other[place]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}

/** Throws for a text that is no index. */
export function refuseNoIndex(index: string): void {
  if (!/(^|["{,]\s*)entries["']?:/m.test(index))
    throw new AppError('bad_payload', 'index.yaml is no index of charts');
}

/** A version of a chart, or the newest that is released; null where there is none. */
export function chartIn(
  index: string,
  { chart, version }: { chart: string; version: string | undefined },
): ChartEntry | null {
  const all = candidates(index, chart);
  if (version !== undefined) return all.find((one) => one.version === version)?.read() ?? null;
  let newest: { one: Candidate; parts: [number, number, number] } | null = null;
  for (const one of all) {
    const parts = released(one.version);
    if (parts !== null && (newest === null || isNewer(parts, newest.parts))) newest = { one, parts };
  }
  return newest?.one.read() ?? null;
}
