/**
 * What a transform's output does to a result (schema §4.4 step 2): a list whose first element is named otherwise
 * than the check makes derived checks; a single unnamed object edits the result; anything else is invalid.
 */
import { z } from 'zod';
import { MAX_CHECK_NAME } from '../kind/spec-fields.ts';
import { figuresSchema } from '../results/figure.ts';
import type { Outcome } from '../results/outcome.ts';

const DELETE = '$delete';
const MAX_DERIVED = 1000;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

/** Characters. */
const MAX_TYPE = 100;

const elementSchema = z.looseObject({
  name: z.string().max(MAX_CHECK_NAME).nullish(),
  type: z.string().max(MAX_TYPE).nullish(),
  namespace: z.string().nullish(),
  description: z.string().nullish(),
  icon: z.string().nullish(),
  labels: z.record(z.string(), z.coerce.string()).nullish(),
  pass: z.boolean().nullish(),
  invalid: z.boolean().nullish(),
  message: z.coerce.string().nullish(),
  error: z.coerce.string().nullish(),
  duration: z.number().nullish(),
  start: z.string().nullish(),
  detail: z.unknown().optional(),
  data: z.record(z.string(), z.unknown()).nullish(),
  deletedAt: z.string().nullish(),
  metrics: figuresSchema.nullish(),
});
type Element = z.output<typeof elementSchema>;

const invalid = (outcome: Outcome, error: string): Outcome[] => [
  { ...outcome, pass: false, invalid: true, error },
];

function edited(outcome: Outcome, element: Element): Outcome {
  const hasDetail = element.detail !== undefined;
  return {
    ...outcome,
    pass: element.pass ?? outcome.pass,
    invalid: element.invalid ?? outcome.invalid,
    message: element.message ?? outcome.message,
    error: element.error ?? outcome.error,
    durationMs: element.duration ?? outcome.durationMs,
    detail: hasDetail ? (element.detail === DELETE ? null : element.detail) : outcome.detail,
    data: { ...outcome.data, ...element.data },
    figures: element.metrics ?? [],
  };
}

/** A time that the database can tell; null where it says none. */
function startOf({ start }: Element): number | null {
  const startedMs = Date.parse(start ?? '');
  return startedMs >= FIRST_MS && startedMs <= LAST_MS ? startedMs : null;
}

function derivedFrom(outcome: Outcome, element: Element): Outcome {
  return {
    ...outcome,
    derived: {
      name: element.name ?? outcome.entry.name,
      type: element.type ?? outcome.entry.type,
      namespace: element.namespace ?? null,
      description: element.description ?? null,
      icon: element.icon ?? null,
      labels: element.labels ?? {},
      deletedAt: element.deletedAt ?? null,
    },
    startedMs: startOf(element) ?? outcome.startedMs,
    pass: element.pass ?? outcome.pass,
    invalid: element.invalid ?? false,
    message: element.message ?? null,
    error: element.error ?? null,
    durationMs: element.duration ?? outcome.durationMs,
    detail: element.detail ?? null,
    data: { ...outcome.data, ...element.data },
    figures: element.metrics ?? [],
  };
}

/** The outcomes that a transform's text makes of one; the check's own comes first. */
export function applyTransform(outcome: Outcome, text: string): Outcome[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Told to the user as a result, which is where they look.
    return invalid(outcome, 'the transform did not give JSON');
  }
  const parsed = z
    .array(elementSchema)
    .max(MAX_DERIVED)
    .safeParse(Array.isArray(value) ? value : [value]);
  if (!parsed.success)
    return invalid(
      outcome,
      `the transform gave something else than results: ${parsed.error.issues[0]?.message ?? ''}`,
    );
  const [first] = parsed.data;
  if (first === undefined) return [{ ...outcome, detail: null }];
  if (first.name != null && first.name !== outcome.entry.name) {
    const unnamed = parsed.data.some((element) => element.name == null || element.name === '');
    if (unnamed) return invalid(outcome, 'the transform gave a result without a name');
    return [{ ...outcome, detail: null }, ...parsed.data.map((element) => derivedFrom(outcome, element))];
  }
  if (parsed.data.length > 1) return invalid(outcome, 'the transform gave several results without names');
  return [edited(outcome, first)];
}
