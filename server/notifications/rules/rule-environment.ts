/** Filters and texts of rules: the environment that they see (schema §7.1), and how they are evaluated. */
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { emptyEnvironment } from '../../../src/domain/notification/environment-names.ts';
import { healthOfEvent } from '../../../src/domain/notification/notification-rule.ts';
import { linkPath, silencePath } from './subject.ts';
import type { SubjectRow } from './subject-query.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

export interface EnvironmentFacts {
  event: string;
  subject: SubjectRow;
  publicUrl: string;
  /** The kind of service that the text is for. */
  channel: string;
}

/** What filters and templates see. */
export function environmentOf({
  event,
  subject,
  publicUrl,
  channel,
}: EnvironmentFacts): Record<string, unknown> {
  const base = trimEnd(publicUrl, '/');
  const silence = silencePath(event, subject.id);
  return {
    ...emptyEnvironment(),
    ...subject.env,
    event,
    new_state: healthOfEvent(event) ?? event.split('.').at(-1) ?? '',
    permalink: `${base}${linkPath(event, subject.id, subject.env)}`,
    silenceURL: silence === null ? '' : `${base}${silence}`,
    channel,
  };
}

type Verdict = { kind: 'yes' | 'no' } | { kind: 'error'; error: string };
type Evaluator = Pick<Expressions, 'evaluate'>;

const LONGEST_ERROR = 500;
const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR);

const scopeOf = (variables: Record<string, unknown>) => ({ variables, durationNames: [], lastResult: null });

/** Whether a filter is true; an empty one always is. */
export async function isWanted(
  expressions: Evaluator,
  filter: string | null,
  variables: Record<string, unknown>,
): Promise<Verdict> {
  if (filter === null || filter.trim() === '') return { kind: 'yes' };
  try {
    const { isTrue, text } = await expressions.evaluate({ expr: filter }, scopeOf(variables));
    if (isTrue === null)
      return {
        kind: 'error',
        error: `the filter is neither true nor false but ${JSON.stringify(text.slice(0, 80))}`,
      };
    return { kind: isTrue ? 'yes' : 'no' };
  } catch (error) {
    return { kind: 'error', error: reasonOf(error) };
  }
}

const MARK = ['\u{F0000}', '\u{F0001}'] as const;
const MARKED = /\u{F0000}(\d+)\u{F0001}/gu;

/** Where `$(` at `from` ends; -1 where it doesn't. */
function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** The template with its `$(…)` taken out: CEL, or an action of a Go template where it begins with a point. */
function splitTemplate(template: string): { go: string; cel: string[] } {
  const cel: string[] = [];
  let go = '';
  let at = 0;
  for (;;) {
    const start = template.indexOf('$(', at);
    const end = start < 0 ? -1 : closing(template, start + 1);
    if (end < 0) return { go: go + template.slice(at), cel };
    const inner = template.slice(start + 2, end).trim();
    go += template.slice(at, start);
    if (inner.startsWith('.')) go += `{{ ${inner} }}`;
    else go += `${MARK[0]}${cel.push(inner) - 1}${MARK[1]}`;
    at = end + 1;
  }
}

/** A text of a rule: a Go template, in which `$(…)` is CEL. What values hold is never evaluated. */
export async function renderTemplate(
  expressions: Evaluator,
  template: string,
  variables: Record<string, unknown>,
): Promise<string> {
  const { go, cel } = splitTemplate(template);
  const scope = scopeOf(variables);
  const values: string[] = [];
  for (const expr of cel) values.push((await expressions.evaluate({ expr }, scope)).text);
  const text = go.includes('{{') ? (await expressions.evaluate({ template: go }, scope)).text : go;
  return text.replaceAll(MARKED, (_all, at: string) => values[Number(at)] ?? '');
}
