/** What a scraper's specification says about how long things are kept (schema §5.2 `retention`). Pure. */
import { z } from 'zod';
import { parseDuration } from '../../../src/domain/check/duration.ts';

/** Changes of a type: none older than the age, and at most so many an item. */
export interface ChangeRule {
  name: string;
  ageMs: number | null;
  count: number | null;
}

/** Items of a type: live ones go when they are as old or as long unchanged, deleted ones for good. */
export interface TypeRule {
  name: string;
  createdMs: number | null;
  updatedMs: number | null;
  deletedMs: number | null;
}

export interface RetentionRules {
  changes: readonly ChangeRule[];
  types: readonly TypeRule[];
  /** null keeps items that are no longer seen. */
  staleItemAgeMs: number | null;
  /** What could not be understood, naming the field; the default stands in its place. */
  errors: readonly string[];
}

const STALE_ITEM_AGE_MS = 86_400_000;
/** The word that keeps items which are no longer seen. */
const KEEP = 'keep';

const age = z.string().optional();
const retention = z.looseObject({
  changes: z
    .array(z.looseObject({ name: z.string(), age, count: z.number().int().nonnegative().optional() }))
    .optional(),
  types: z
    .array(z.looseObject({ name: z.string(), createdAge: age, updatedAge: age, deletedAge: age }))
    .optional(),
  staleItemAge: age,
});
const withRetention = z.looseObject({ retention: retention.optional() });

/** The rules of a specification. */
export function retentionRules(spec: unknown): RetentionRules {
  const parsed = withRetention.safeParse(spec);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const errors = [`${issue?.path.join('.') ?? 'retention'}: ${issue?.message ?? 'not understood'}`];
    return { changes: [], types: [], staleItemAgeMs: STALE_ITEM_AGE_MS, errors };
  }
  const { changes = [], types = [], staleItemAge } = parsed.data.retention ?? {};
  const errors: string[] = [];
  const duration = (text: string | undefined, field: string): number | null => {
    if (text === undefined || text === '') return null;
    const ms = parseDuration(text);
    if (ms !== null && ms >= 0) return ms;
    errors.push(`retention.${field}: "${text}" is no duration; write it like 24h or 7d`);
    return null;
  };
  const isKept = staleItemAge === KEEP;
  return {
    changes: changes.map(({ name, age: text, count }, place) => ({
      name,
      ageMs: duration(text, `changes[${place}].age`),
      count: count ?? null,
    })),
    types: types.map(({ name, createdAge, updatedAge, deletedAge }, place) => ({
      name,
      createdMs: duration(createdAge, `types[${place}].createdAge`),
      updatedMs: duration(updatedAge, `types[${place}].updatedAge`),
      deletedMs: duration(deletedAge, `types[${place}].deletedAge`),
    })),
    staleItemAgeMs: isKept ? null : (duration(staleItemAge, 'staleItemAge') ?? STALE_ITEM_AGE_MS),
    errors,
  };
}
