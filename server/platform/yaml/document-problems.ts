/** What is wrong with a document of ours, told by field, in words of the product. */
import type { z } from 'zod';
import { missingFields, type AskedFields } from '../../../src/lib/asked-fields.ts';
import { unknownKeys } from '../../../src/lib/unknown-keys.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

/** What is wrong with a document. `field` is a path such as `spec.http[0].url`. */
export interface DocumentProblem {
  field: string;
  message: string;
}

/** `spec.http[0].url` */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let at = root;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = Reflect.get(at, part);
  }
  return at;
}

const FORMS = lookupTable<string>({
  array: 'a list',
  object: 'a mapping of fields',
  record: 'a mapping of fields',
});

function whatIsWrong(issue: z.core.$ZodIssue, value: unknown): string {
  // A rule of ours says best what is missing.
  if (issue.code === 'custom') return issue.message;
  if (value === undefined || value === null) return 'is required';
  if (issue.code === 'invalid_type') return `must be ${FORMS[issue.expected] ?? `a ${issue.expected}`}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_union') return 'has the wrong form';
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  if (issue.code === 'too_small' && value !== '') return `must be at least ${issue.minimum}`;
  return issue.message;
}

/** What a specification has to have beyond what it is read with. */
export function missingProblems(asked: AskedFields, spec: unknown): DocumentProblem[] {
  return missingFields(asked, spec).map((path) => ({
    field: fieldPath(['spec', ...path]),
    message: 'is required',
  }));
}

const NO_FIELD = 'is not a field of this kind';

/** What zod found wrong with `root`, which stands at `prefix` in the document. */
export function problemsOf(
  error: z.ZodError,
  prefix: readonly PropertyKey[],
  root: unknown,
): DocumentProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: fieldPath([...prefix, ...issue.path, key]),
        message: NO_FIELD,
      }));
    }
    return [
      {
        field: fieldPath([...prefix, ...issue.path]),
        message: whatIsWrong(issue, valueAt(root, issue.path)),
      },
    ];
  });
}

/** The fields of `root` that its schema does not know, with what was probably meant by them. */
export function unknownFieldProblems(
  schema: z.ZodType,
  prefix: readonly PropertyKey[],
  root: unknown,
): DocumentProblem[] {
  return unknownKeys(schema, root).map(({ path, meant }) => ({
    field: fieldPath([...prefix, ...path]),
    message: meant === null ? NO_FIELD : `${NO_FIELD}; did you mean "${meant}"?`,
  }));
}

/** The problems, each field once, as it was first told. */
export function mergedProblems(...lists: readonly (readonly DocumentProblem[])[]): DocumentProblem[] {
  const byField = new Map<string, DocumentProblem>();
  for (const problem of lists.flat()) if (!byField.has(problem.field)) byField.set(problem.field, problem);
  return [...byField.values()];
}
