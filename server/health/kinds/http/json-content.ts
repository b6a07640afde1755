/**
 * responseJSONContent: a value of the answer, found by a JSONPath of names, indexes and `*`. What walks at any depth or
 * runs a script is refused when it is read, so that looking takes no longer than the answer is large.
 */
import { z } from 'zod';
import { isRecord } from '../../../../src/lib/is-record.ts';
import { required, text } from '../../kind/spec-fields.ts';

const STEP = /\.?(?:(\*)|([\p{L}_][\p{L}\p{N}_-]*)|\[(?:(\*)|(\d+)|'([^']+)'|"([^"]+)")\])/uy;

/** Null for a path that is not understood. */
function stepsOf(path: string): string[] | null {
  const bare = path.trim().replace(/^\{(.*)\}$/, '$1');
  const steps: string[] = [];
  STEP.lastIndex = bare.startsWith('$') ? 1 : 0;
  while (STEP.lastIndex < bare.length) {
    const found = STEP.exec(bare);
    if (found === null) return null;
    steps.push(found.slice(1).find((part) => part !== undefined) ?? '');
  }
  return steps.length === 0 ? null : steps;
}

/** What the field may say. */
export const jsonContentSchema = z.strictObject({
  path: required.refine(
    (path) => stepsOf(path) !== null,
    'must be a path of names, indexes and *, such as $.items[0].state',
  ),
  value: text,
});

function children(value: unknown, step: string): unknown[] {
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    return step === '*' ? list : list.slice(Number(step), Number(step) + 1);
  }
  if (!isRecord(value)) return [];
  if (step === '*') return Object.values(value);
  return Object.hasOwn(value, step) ? [value[step]] : [];
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Why the answer has not what is wanted, or null; of several values any may be it. */
export function jsonComplaint(
  { path, value }: z.output<typeof jsonContentSchema>,
  json: unknown,
): string | null {
  let found: unknown[] = [json];
  for (const step of stepsOf(path) ?? []) found = found.flatMap((one) => children(one, step));
  if (found.length === 0) return `the answer has no ${path}`;
  if (found.some((one) => shown(one) === value)) return null;
  return `${path} of the answer is ${shown(found[0]).slice(0, 100)}, expected ${value}`;
}
