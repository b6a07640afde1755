/** What a caller of the topology may ask (contract §5, schema §6.4). */
import { z } from 'zod';
import { parseLabelSelector } from '../../src/domain/label-selector.ts';
import type { LabelRequirement } from '../../src/domain/label-selector.ts';
import { parseMatchList } from '../../src/domain/match-list.ts';

const MAX_TEXT = 4096;
const DEFAULT_DEPTH = 3;
/** Deeper nesting than any picture of it; components that several select show once under each. */
const MAX_DEPTH = 10;

/** What the original client sends for "no filter". */
const NO_FILTER = /^all$/i;
/** A parameter given twice counts once, the first. */
const first = (value: unknown) => (Array.isArray(value) ? (value as unknown[])[0] : value);
const text = z.preprocess(
  first,
  z
    .string()
    .max(MAX_TEXT)
    .optional()
    .transform((value) => value?.trim() ?? ''),
);
const list = text.transform((value) => parseMatchList(NO_FILTER.test(value) ? '' : value));
const flag = text.transform((value) => value === 'true');

const labels = text.transform((value, context): LabelRequirement[] => {
  const parsed = parseLabelSelector(NO_FILTER.test(value) ? '' : value);
  if (parsed.ok) return parsed.requirements;
  context.addIssue({ code: 'custom', message: `"${parsed.part}" is no label such as key=value` });
  return z.NEVER;
});

const depth = text
  .pipe(z.string().regex(/^\d{0,4}$/, 'must be a whole number'))
  .transform((value) => Math.min(Number(value) || DEFAULT_DEPTH, MAX_DEPTH));

const order = text.pipe(z.enum(['asc', 'desc', ''], { error: 'must be asc or desc' }));

export const topologyRequestSchema = z.object({
  id: text.pipe(z.union([z.literal(''), z.guid({ error: 'must be the id of a component' })])),
  owner: list,
  labels,
  status: list,
  type: list,
  team: list,
  agent_id: list,
  hidden: text,
  depth,
  flatten: flag,
  sortBy: text,
  sortOrder: order,
  noCache: flag,
  'no-cache': flag,
});
