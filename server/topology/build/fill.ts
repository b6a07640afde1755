/**
 * Fills templates in a part of a document: `$(.component.name)` and `{{.component.name}}`, in any text but in scripts,
 * which see the same names as variables.
 */
import { SCRIPT_LANGUAGES } from '../../../src/domain/script-language.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';

/** Their texts are programs. */
const SCRIPTS: ReadonlySet<string> = new Set([
  ...SCRIPT_LANGUAGES.flatMap(({ keys }) => keys),
  'statusExpr',
  'healthExpr',
  'script',
]);
const HAS_TEMPLATE = /\$\(|\{\{/;
/** Most templates are one name; those need no thread. */
const NAME = /(?:\$\(|\{\{)\s*((?:\.[A-Za-z_]\w*)+)\s*(?:\)|\}\})/g;
const DOLLAR = /\$\(((?:[^()]|\([^()]*\))*)\)/g;

type Variables = Readonly<Record<string, unknown>>;

function named(path: string, variables: Variables): string | null {
  let at: unknown = variables;
  for (const part of path.split('.').slice(1))
    at = isRecord(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  return typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean' ? String(at) : null;
}

/** Whether anything in it is to be filled. */
export function hasTemplates(value: unknown): boolean {
  return HAS_TEMPLATE.test(JSON.stringify(value) ?? '');
}

/** The value with its templates filled; what can't be filled throws. */
export async function fill<Value>(
  value: Value,
  variables: Variables,
  expressions: Expressions,
): Promise<Value> {
  async function text(template: string): Promise<string> {
    const plain = template.replace(NAME, (whole, path: string) => named(path, variables) ?? whole);
    if (!HAS_TEMPLATE.test(plain)) return plain;
    const script = { template: plain.replace(DOLLAR, '{{$1}}') };
    return (
      await expressions.evaluate(script, { variables: { ...variables }, durationNames: [], lastResult: null })
    ).text;
  }
  async function visit(part: unknown): Promise<unknown> {
    if (typeof part === 'string') return HAS_TEMPLATE.test(part) ? text(part) : part;
    if (Array.isArray(part)) return Promise.all(part.map(visit));
    if (!isRecord(part)) return part;
    const entries = Object.entries(part).map(
      async ([key, inner]) => [key, SCRIPTS.has(key) ? inner : await visit(inner)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }
  // Only texts are changed, and to texts: the form stays what it was.
  return hasTemplates(value) ? ((await visit(value)) as Value) : value;
}
