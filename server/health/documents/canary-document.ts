/**
 * Reads canary documents: YAML files with line numbers, or the JSON of a stored row. What can't be read is told
 * with line, field and the reason; nothing of a refused document runs.
 */
import { z } from 'zod';
import { isRecord } from '../../../src/lib/is-record.ts';
import { SUSPENDED } from '../../../src/domain/bulk/suspended.ts';
import type { Schedule } from '../../../src/domain/check/schedule.ts';
import {
  fieldPath,
  mergedProblems,
  problemsOf,
  unknownFieldProblems,
} from '../../platform/yaml/document-problems.ts';
import type { DocumentProblem } from '../../platform/yaml/document-problems.ts';
import { parseSchedule } from '../../../src/domain/check/schedule.ts';
import { isCronValid } from '../../platform/jobs/next-run.ts';
import type { CheckSpec } from '../kind/registered-kind.ts';
import { cutText } from '../../../src/lib/cut-text.ts';
import { MAX_CHECK_NAME, namedValues, valueSchema } from '../kind/spec-fields.ts';
import { kindOf } from '../kinds/all-kinds.ts';
import { STORED_KINDS } from '../kinds/stored-kinds.ts';
import { withoutSignIn } from '../../connections/note-literals.ts';
import { unknownKindMessage } from './unknown-kind.ts';

/** One check entry, whether or not its kind runs here. */
export interface CheckEntry {
  /** Key in the document. */
  key: string;
  /** checks.type */
  type: string;
  name: string;
  /** The entry as written; stored with the check. */
  raw: Record<string, unknown>;
  /** Null for kinds that are only stored. */
  runnable: CheckSpec | null;
  /** Values by name of its canary, where its kind takes any. */
  shared?: readonly unknown[];
}

export interface Canary {
  name: string;
  namespace: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  /** The spec as written. */
  spec: Record<string, unknown>;
  schedule: Schedule;
  isPaused: boolean;
  severity: string | null;
  owner: string | null;
  icon: string | null;
  entries: CheckEntry[];
}

export type ParsedCanary =
  | { ok: true; canary: Canary }
  | { ok: false; name: string; namespace: string; problems: DocumentProblem[] };

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const texts = z.record(z.string(), scalar).nullish();

/** Characters: an index holds both. */
const MAX_NAME = 250;

const metadataSchema = z.object({
  name: z.string().trim().min(1).max(MAX_NAME),
  namespace: z.string().trim().max(MAX_NAME).nullish(),
  labels: texts,
  annotations: texts,
});
/** Documents of this API group are ours; others that lie beside them are not ours to judge. */
const API_GROUP = /^canaries\.flanksource\.com\//;

/** A list as checks have it, or values by their names; checks' own of the same name count more. */
const sharedValues = z.union([
  namedValues,
  z
    .record(z.string(), valueSchema)
    .transform((values) => Object.entries(values).map(([name, value]) => ({ ...value, name }))),
]);

const SETTINGS = {
  schedule: z.string().optional(),
  interval: z.number().int().min(0).optional(),
  replicas: z.number().int().min(0).nullish(),
  env: sharedValues.optional(),
  icon: z.string().optional(),
  severity: z.string().optional(),
  owner: z.string().optional(),
  resultMode: z
    .string()
    .refine((mode) => mode === '', 'is not offered: each check keeps a result of its own')
    .optional(),
};
const settingsSchema = z.looseObject(SETTINGS);

/** A check without a name takes the most telling of its other fields. */
function nameOf(raw: Record<string, unknown>, type: string): string {
  for (const key of ['name', 'description', 'url', 'endpoint', 'path', 'query']) {
    const value = raw[key];
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value.trim() !== '')
      return cutText(withoutSignIn(value.trim()), MAX_CHECK_NAME);
  }
  return type;
}

type Collected = { entries: CheckEntry[]; problems: DocumentProblem[] };

/** The entry with what its canary gives it. */
function withShared(raw: Record<string, unknown>, shared: readonly unknown[]): Record<string, unknown> {
  const own = raw['env'] ?? [];
  return shared.length > 0 && Array.isArray(own) ? { ...raw, env: [...shared, ...own] } : raw;
}

interface Given {
  path: readonly PropertyKey[];
  shared: readonly unknown[];
}

function readEntry(key: string, raw: unknown, { path, shared: all }: Given): Collected {
  if (!isRecord(raw))
    return { entries: [], problems: [{ field: fieldPath(path), message: 'must be a mapping of fields' }] };
  const kind = kindOf(key);
  if (kind === undefined) {
    const type = STORED_KINDS[key]?.type ?? key;
    return { entries: [{ key, type, name: nameOf(raw, type), raw, runnable: null }], problems: [] };
  }
  const shared = kind.takesValues === true ? all : [];
  const read = kind.read(withShared(raw, shared));
  if (!read.ok) {
    const unknown = unknownFieldProblems(kind.schema, path, raw);
    return { entries: [], problems: mergedProblems(unknown, problemsOf(read.error, path, raw)) };
  }
  const { type } = kind;
  const entry = { key, type, name: nameOf(raw, type), raw, runnable: read.check, shared };
  return { entries: [entry], problems: [] };
}

function readKind(key: string, value: unknown, shared: readonly unknown[]): Collected {
  const kind = kindOf(key);
  if (kind === undefined && !Object.hasOwn(STORED_KINDS, key)) {
    return { entries: [], problems: [{ field: `spec.${key}`, message: unknownKindMessage(key) }] };
  }
  if (kind?.isSingle === true) return readEntry(key, value, { path: ['spec', key], shared });
  if (!Array.isArray(value))
    return { entries: [], problems: [{ field: `spec.${key}`, message: 'must be a list of checks' }] };
  const all = value.map((raw, index) => readEntry(key, raw, { path: ['spec', key, index], shared }));
  return { entries: all.flatMap((one) => one.entries), problems: all.flatMap((one) => one.problems) };
}

function readSchedule(settings: {
  schedule?: string | undefined;
  interval?: number | undefined;
}): Schedule | null {
  const schedule = parseSchedule(settings);
  if (schedule?.kind === 'cron' && !isCronValid(schedule.expression)) return null;
  return schedule;
}

/** Two checks of one type and name would be one row; the later ones are numbered. */
function withDistinctNames(entries: readonly CheckEntry[]): CheckEntry[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const idOf = (name: string) => `${entry.type}\n${name}`;
    let { name } = entry;
    let count = counts.get(idOf(name)) ?? 0;
    // Another check may be called `a (2)` by itself.
    while (counts.has(idOf(name))) {
      count += 1;
      name = `${entry.name} (${count})`;
    }
    counts.set(idOf(entry.name), Math.max(count, 1));
    counts.set(idOf(name), counts.get(idOf(name)) ?? 1);
    return name === entry.name ? entry : { ...entry, name };
  });
}

/** `dependsOn` may only name checks of the same canary. */
function unknownDependencies(entries: readonly CheckEntry[]): DocumentProblem[] {
  const names = new Set(entries.map(({ name }) => name));
  return entries.flatMap(({ key, name, runnable }) =>
    (runnable?.spec.dependsOn ?? [])
      .filter((wanted) => !names.has(wanted))
      .map((wanted) => ({
        field: `spec.${key}`,
        message: `"${name}" depends on "${wanted}", which is not a check of this canary`,
      })),
  );
}

/** True for an object of another API, such as a CronJob that a canary watches and that stands in its file. */
export function isOtherKind(document: unknown): boolean {
  if (!isRecord(document) || document['kind'] === 'Canary') return false;
  const group = document['apiVersion'];
  return typeof group === 'string' && !API_GROUP.test(group);
}

/** Reads one document (parsed YAML or JSON). `fallbackName` is used where the document doesn't even have a name. */
export function readCanary(document: unknown, fallbackName: string): ParsedCanary {
  const refuse = (
    problems: DocumentProblem[],
    found?: { name: string; namespace?: string | null | undefined },
  ): ParsedCanary => ({
    ok: false,
    name: found?.name ?? fallbackName,
    namespace: found?.namespace ?? 'default',
    problems,
  });
  if (!isRecord(document)) return refuse([{ field: '', message: 'is not a canary document' }]);
  const metadata = metadataSchema.safeParse(document['metadata']);
  if (!metadata.success) return refuse(problemsOf(metadata.error, ['metadata'], document['metadata']));
  if (document['kind'] !== 'Canary')
    return refuse([{ field: 'kind', message: 'must be Canary' }], metadata.data);
  const { spec } = document;
  if (!isRecord(spec)) return refuse([{ field: 'spec', message: 'is required' }], metadata.data);
  const settings = settingsSchema.safeParse(spec);
  if (!settings.success) return refuse(problemsOf(settings.error, ['spec'], spec), metadata.data);
  const schedule = readSchedule(settings.data);
  const kinds = Object.entries(spec).filter(([key]) => !Object.hasOwn(SETTINGS, key));
  const { env: shared = [] } = settings.data;
  const read = kinds.map(([key, value]) => readKind(key, value, shared));
  const entries = withDistinctNames(read.flatMap((one) => one.entries));
  const problems = [
    ...(schedule === null
      ? [
          {
            field: 'spec.schedule',
            message: `"${settings.data.schedule}" is not a schedule (five cron fields, @every 30s, @hourly, @never)`,
          },
        ]
      : []),
    ...read.flatMap((one) => one.problems),
  ];
  if (kinds.length === 0) problems.push({ field: 'spec', message: 'has no checks' });
  if (shared.length > 0 && !kinds.some(([key]) => kindOf(key)?.takesValues === true))
    problems.push({ field: 'spec.env', message: 'is for checks of kind http and exec, and there is none' });
  if (problems.length === 0) problems.push(...unknownDependencies(entries));
  if (problems.length > 0 || schedule === null) return refuse(problems, metadata.data);
  const annotations = metadata.data.annotations ?? {};
  return {
    ok: true,
    canary: {
      name: metadata.data.name,
      // An empty one is one: such checks belong to no namespace.
      namespace: metadata.data.namespace ?? 'default',
      labels: metadata.data.labels ?? {},
      annotations,
      spec,
      schedule,
      isPaused: settings.data.replicas === 0 || annotations[SUSPENDED.annotation] === SUSPENDED.value,
      severity: settings.data.severity ?? null,
      owner: settings.data.owner ?? null,
      icon: settings.data.icon ?? null,
      entries,
    },
  };
}
