/**
 * What a request means: a component, one of its selectors with its templates filled in, a range. Invariant: what a
 * request brings narrows what the selector says and never widens it.
 */
import { AppError } from '../../src/contract/errors.ts';
import { searchWords } from '../../src/domain/logs/search-words.ts';
import type { Expressions } from '../platform/expressions/expression-thread.ts';
import { timeWindow } from '../platform/http/time-window.ts';
import { reasonOf } from '../platform/reason-of.ts';
import type { LogQuestion } from './backends/log-backend.ts';
import type { LogComponent, LogSelector } from './logs-query.ts';

/** Whoever asks for logs of now means those of a clock that is ahead, too. */
const AHEAD_MS = 24 * 3_600_000;

/** What `POST /logs` brings, parsed. */
export interface AskedLogs {
  name?: string | null | undefined;
  query?: string | null | undefined;
  start?: string | null | undefined;
  end?: string | null | undefined;
  labels?: Readonly<Record<string, string>> | null | undefined;
}

/** The selector of that name, or the first one. */
function selectorOf({ selectors }: LogComponent, name: string): LogSelector {
  const found = name === '' ? selectors[0] : selectors.find((one) => (one.name ?? '') === name);
  if (found !== undefined) return found;
  const known =
    selectors.length === 0 ? 'it has none' : `it has ${selectors.map((one) => one.name ?? '').join(', ')}`;
  throw new AppError('invalid', `name: the component has no log selector "${name}"; ${known}`);
}

async function filled(
  text: string,
  { component, expressions }: { component: LogComponent; expressions: Pick<Expressions, 'evaluate'> },
): Promise<string> {
  if (!text.includes('{{')) return text;
  const { selectors: _selectors, properties, ...self } = component;
  const list = Array.isArray(properties) ? (properties as unknown[]) : [];
  const named = list.flatMap((one): [string, unknown][] => {
    if (typeof one !== 'object' || one === null || !('name' in one)) return [];
    return [[String(one.name), 'text' in one ? one.text : 'value' in one ? one.value : null]];
  });
  const variables = { self, properties: Object.fromEntries(named) };
  try {
    const { text: found } = await expressions.evaluate(
      { template: text },
      { variables, durationNames: [], lastResult: null },
    );
    return found;
  } catch (error) {
    throw new AppError('invalid', `logSelectors: "${text.slice(0, 100)}" fails: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** The selector's labels, with those of the request beside them. Throws where one would widen the other. */
async function labelsOf(
  selector: LogSelector,
  asked: Readonly<Record<string, string>>,
  parts: { component: LogComponent; expressions: Pick<Expressions, 'evaluate'> },
): Promise<Record<string, string>> {
  const own: Record<string, string> = {};
  for (const [name, text] of Object.entries(selector.labels ?? {})) {
    const value = (await filled(text, parts)).trim();
    // A template that comes to nothing would be no condition at all.
    if (value === '' || value === '<no value>')
      throw new AppError('invalid', `logSelectors: the label ${name} comes to nothing for this component`);
    own[name] = value;
  }
  for (const [name, value] of Object.entries(asked))
    if (Object.hasOwn(own, name) && own[name] !== value)
      throw new AppError(
        'invalid',
        `labels: the log selector says ${name}=${own[name] ?? ''}; it can't be another one`,
      );
  return { ...asked, ...own };
}

/** The question without its limit. Throws `invalid` with a sentence that names the field. */
export async function questionOf(
  asked: AskedLogs,
  parts: { component: LogComponent; expressions: Pick<Expressions, 'evaluate'>; nowMs: number },
): Promise<Omit<LogQuestion, 'limit'>> {
  const { component, nowMs } = parts;
  const selector = selectorOf(component, asked.name ?? '');
  const end = asked.end ?? '';
  const { fromMs, untilMs } = timeWindow({ start: asked.start || '1h', end }, nowMs);
  const type = await filled(selector.type ?? '', parts);
  return {
    id: component.external_id,
    type: type === '' ? (component.type ?? '') : type,
    namespace: component.namespace ?? '',
    name: selector.name ?? '',
    labels: await labelsOf(selector, asked.labels ?? {}, parts),
    words: searchWords(asked.query ?? ''),
    startMs: Math.floor(fromMs),
    endMs: end === '' ? Math.floor(untilMs) + AHEAD_MS : Math.floor(untilMs),
  };
}
