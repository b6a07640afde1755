/**
 * Reads scraper documents: `kind: ScrapeConfig`, or a bare specification; from YAML files or a stored row
 * (schema §5.2). A setting of the whole that can't be read refuses the document; an entry that can't is kept with
 * its reason, which every run tells, while the others run.
 */
import { z } from 'zod';
import { isRecord } from '../../../../src/lib/is-record.ts';
import { scraperBaseSchema } from '../../../../src/contract/specs/scraper-entry.ts';
import {
  SCRAPER_KINDS,
  scraperSettingsSchema,
  scraperSpecSchema,
} from '../../../../src/contract/specs/scraper-spec.ts';
import type { ScraperBase } from '../../../../src/contract/specs/scraper-entry.ts';
import { parseDuration } from '../../../../src/domain/check/duration.ts';
import { parseSchedule } from '../../../../src/domain/check/schedule.ts';
import type { Schedule } from '../../../../src/domain/check/schedule.ts';
import { DEFAULT_SCRAPE_SCHEDULE } from '../../../../src/domain/settings/resource-facts.ts';
import { problemsOf, unknownFieldProblems } from '../../../platform/yaml/document-problems.ts';
import type { DocumentProblem } from '../../../platform/yaml/document-problems.ts';
import type { RefusedDocument } from '../../../platform/yaml/yaml-file.ts';
import { isCronValid } from '../../../platform/jobs/next-run.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

/** One entry of a kind's list. */
export interface ScraperEntry {
  kind: string;
  /** `file[0]` */
  field: string;
  read:
    | { ok: true; spec: Record<string, unknown>; base: ScraperBase }
    /** Why it can't run; begins with the field. */
    | { ok: false; problems: string[] };
}

export interface Scraper {
  name: string;
  namespace: string;
  /** As written. */
  spec: Record<string, unknown>;
  schedule: Schedule;
  isFull: boolean;
  /** null keeps what is not seen any more. */
  staleItemAgeMs: number | null;
  entries: ScraperEntry[];
  /** What it asks for and does not get, in a sentence each. */
  notes: string[];
}

export type ReadScraper = { ok: true; scraper: Scraper } | RefusedDocument;

/** Runs are never closer than this (schema §5.3). */
const MIN_INTERVAL_MS = 29_000;
const DEFAULT_STALE_MS = 24 * 3_600_000;
const API_GROUP = /^configs\.flanksource\.com\//;
const SETTINGS = new Set(Object.keys(scraperSettingsSchema.shape));

const metadataSchema = z.object({
  name: z.string().trim().min(1).max(253),
  namespace: z.string().trim().max(253).nullish(),
});

/** Keys that only a scraper's specification has all of. */
const isBareSpec = (document: Record<string, unknown>) => {
  const keys = Object.keys(document);
  return (
    keys.some((key) => Object.hasOwn(SCRAPER_KINDS, key) && Array.isArray(document[key])) &&
    keys.every((key) => Object.hasOwn(SCRAPER_KINDS, key) || SETTINGS.has(key))
  );
};

/** True for documents that may stand beside scrapers and are none. */
export function isOtherKind(document: unknown): boolean {
  if (!isRecord(document)) return true;
  if (document['kind'] === 'ScrapeConfig') return false;
  const group = document['apiVersion'];
  if (typeof group === 'string') return !API_GROUP.test(group) || document['kind'] !== undefined;
  return !isBareSpec(document);
}

function readSchedule(given: string | undefined): Schedule | null {
  const text = given === undefined || given.trim() === '' ? DEFAULT_SCRAPE_SCHEDULE : given;
  const schedule = parseSchedule({ schedule: text });
  if (schedule?.kind === 'cron' && !isCronValid(schedule.expression)) return null;
  if (schedule?.kind !== 'every') return schedule;
  return { kind: 'every', everyMs: Math.max(MIN_INTERVAL_MS, schedule.everyMs) };
}

/** undefined for what is no duration. */
function staleAgeOf(text: string | undefined): number | null | undefined {
  if (text === undefined || text === '') return DEFAULT_STALE_MS;
  if (text === 'keep') return null;
  const ms = parseDuration(text);
  return ms === null || ms <= 0 ? undefined : ms;
}

const sentence = ({ field, message }: DocumentProblem) => (field === '' ? message : `${field}: ${message}`);

function readEntry(kind: string, raw: unknown, index: number): ScraperEntry {
  const field = `${kind}[${index}]`;
  const refused = (problems: string[]): ScraperEntry => ({ kind, field, read: { ok: false, problems } });
  if (!isRecord(raw)) return refused([`${field}: must be a mapping of fields`]);
  const parsed = (SCRAPER_KINDS_BY_NAME.get(kind) ?? scraperBaseSchema).safeParse(raw);
  const base = scraperBaseSchema.safeParse(raw);
  if (parsed.success && base.success)
    return {
      kind,
      field,
      read: { ok: true, spec: z.record(z.string(), z.unknown()).parse(parsed.data), base: base.data },
    };
  const error = parsed.error ?? base.error;
  return refused(error === undefined ? [] : problemsOf(error, [kind, index], raw).map(sentence));
}

const SCRAPER_KINDS_BY_NAME: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(SCRAPER_KINDS));

function readKind(kind: string, value: unknown): ScraperEntry[] {
  if (!Array.isArray(value))
    return [{ kind, field: kind, read: { ok: false, problems: [`${kind}: must be a list`] } }];
  return value.map((raw, index) => readEntry(kind, raw, index));
}

/** What the product's fields of these names do has no counterpart here: by kind, and of the whole. */
const WITHOUT_EFFECT = lookupTable<Readonly<Record<string, string>>>({
  '': {
    crdSync: 'documents become items only; they are not applied',
    logLevel: 'has no effect; the level is that of the server',
  },
  kubernetes: {
    useCache: 'has no effect; objects are read from the cluster in each run',
    allowIncomplete: 'has no effect; what can be read is kept and the rest is told',
  },
  azure: { organisation: 'has no effect; what the subscription has is read' },
  trivy: { version: 'has no effect; the installed command runs' },
});

function idleFields(kind: string, given: unknown, prefix: string): string[] {
  if (!isRecord(given)) return [];
  const isAsked = (value: unknown) =>
    value !== undefined && value !== null && value !== false && value !== '';
  return Object.entries(WITHOUT_EFFECT[kind] ?? {})
    .filter(([field]) => isAsked(given[field]))
    .map(([field, reason]) => `${prefix}${field}: ${reason}`);
}

/** Fields that are probably mistyped, as nobody asks about a file before it is read, and those that do nothing. */
function notesOf(spec: Record<string, unknown>): string[] {
  const misspelt = unknownFieldProblems(scraperSpecSchema, [], spec).map(sentence);
  const idle = Object.keys(WITHOUT_EFFECT).flatMap((kind) => {
    if (kind === '') return idleFields(kind, spec, '');
    const entries: unknown = spec[kind];
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry: unknown, index) => idleFields(kind, entry, `${kind}[${index}].`));
  });
  return [...misspelt, ...idle];
}

function readSpec(spec: Record<string, unknown>): Omit<Scraper, 'name' | 'namespace'> | DocumentProblem[] {
  const settings = scraperSettingsSchema.safeParse(spec);
  if (!settings.success) return problemsOf(settings.error, ['spec'], spec);
  const { schedule: given, retention, full } = settings.data;
  const schedule = readSchedule(given);
  const stale = staleAgeOf(retention?.staleItemAge);
  const problems: DocumentProblem[] = [];
  if (schedule === null)
    problems.push({
      field: 'spec.schedule',
      message: `"${given}" is not a schedule (five cron fields, @every 1h, @hourly, @never)`,
    });
  if (stale === undefined)
    problems.push({
      field: 'spec.retention.staleItemAge',
      message: `"${retention?.staleItemAge}" is not a duration such as 24h, or keep`,
    });
  const kinds = Object.entries(spec).filter(([key]) => !SETTINGS.has(key));
  const entries = kinds.flatMap(([key, value]) => readKind(key, value));
  if (entries.length === 0) problems.push({ field: 'spec', message: 'has nothing to scrape' });
  if (schedule === null || stale === undefined || problems.length > 0) return problems;
  const notes = notesOf(spec);
  return { spec, schedule, isFull: full === true, staleItemAgeMs: stale, entries, notes };
}

/** The specification of a row or a document with its metadata. */
export function readScraperSpec(place: { name: string; namespace: string }, spec: unknown): ReadScraper {
  if (!isRecord(spec)) return { ok: false, ...place, problems: [{ field: 'spec', message: 'is required' }] };
  const read = readSpec(spec);
  return Array.isArray(read)
    ? { ok: false, ...place, problems: read }
    : { ok: true, scraper: { ...place, ...read } };
}

/** One document; null for one that is no scraper. */
export function readScraper(document: unknown, fallbackName: string): ReadScraper | null {
  if (isOtherKind(document) || !isRecord(document)) return null;
  const fallback = { name: fallbackName, namespace: 'default' };
  if (document['kind'] === undefined) {
    const name = fallbackName.replace(/\.ya?ml(?=#|$)/i, '');
    return readScraperSpec({ ...fallback, name }, document);
  }
  const metadata = metadataSchema.safeParse(document['metadata']);
  if (!metadata.success)
    return {
      ok: false,
      ...fallback,
      problems: problemsOf(metadata.error, ['metadata'], document['metadata']),
    };
  const { name, namespace } = metadata.data;
  return readScraperSpec({ name, namespace: namespace || 'default' }, document['spec']);
}
