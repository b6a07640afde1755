/** What is wrong with a document of ours, told by field, in words of the product. */
import type { z } from 'zod';

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

const FORMS: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a mapping of fields',
  record: 'a mapping of fields',
};

function whatIsWrong(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined || value === null) return 'is required';
  if (issue.code === 'invalid_type') return `must be ${FORMS[issue.expected] ?? `a ${issue.expected}`}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_union') return 'has the wrong form';
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  if (issue.code === 'too_small' && value !== '') return `must be at least ${issue.minimum}`;
  return issue.message;
}

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
        message: 'is not a field of this kind',
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
