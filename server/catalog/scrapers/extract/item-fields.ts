/** The fields of an item that are read out of its document: labels, tags, times, properties, other names. */
import { isRecord } from '../../../../src/lib/is-record.ts';
import { parseGoTime } from '../../../platform/expressions/go-time.ts';
import type { ScraperBase } from '../../../../src/contract/specs/scraper-entry.ts';
import type { ItemHealth } from '../specs/scraped.ts';
import { isOfType } from './clean-config.ts';
import type { ScriptRunner } from './extract-scope.ts';
import { dateOf } from './full-document.ts';
import { findAll, textAt, textOrNull } from './json-values.ts';

const HEALTHS: readonly ItemHealth[] = ['healthy', 'unhealthy', 'warning', 'unknown'];

/** Any other word says nothing about health. */
export function healthOf(text: string | null): ItemHealth | null {
  if (text === null) return null;
  return HEALTHS.find((health) => health === text.toLowerCase()) ?? 'unknown';
}

/** Texts of an object that may have anything in it. */
export function textsIn(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) => {
      const text = textOrNull(entry);
      return text === null ? [] : [[key, text]];
    }),
  );
}

/** Static labels, or those at a path. */
export function labelsOf(labels: ScraperBase['labels'], document: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels ?? {}).flatMap(([name, given]) => {
      const text = textAt(document, given);
      return text === null ? [] : [[name, text]];
    }),
  );
}

/** Tags by value, path or label; one whose source is missing is left out. */
export function tagsOf(
  tags: ScraperBase['tags'],
  document: unknown,
  labels: Readonly<Record<string, string>>,
): Record<string, string> {
  if (!Array.isArray(tags)) return labelsOf(tags, document);
  return Object.fromEntries(
    tags.flatMap(({ name, value, jsonpath, label }) => {
      const found =
        label === undefined
          ? jsonpath === undefined
            ? textAt(document, value)
            : textOrNull(findAll(document, jsonpath)[0])
          : labels[label];
      return found === undefined || found === null ? [] : [[name, found]];
    }),
  );
}

/** The first of the fields that holds a moment, in the given layout or RFC 3339. */
export function momentOf(
  fields: readonly (string | number | boolean)[] | undefined,
  layout: string | undefined,
  document: unknown,
): Date | null {
  for (const field of fields ?? []) {
    const found = textOrNull(findAll(document, String(field))[0]);
    if (found === null) continue;
    const moment = layout === undefined || layout === '' ? dateOf(found) : inLayout(layout, found);
    if (moment !== null) return moment;
  }
  return null;
}

function inLayout(layout: string, text: string): Date | null {
  try {
    return parseGoTime(layout, text);
  } catch {
    // A value in another layout is as good as none: the next field may have one.
    return null;
  }
}

interface Subject {
  type: string;
  variables: Record<string, unknown>;
}

/** Fills every template of a value, however deep. */
async function filled(field: string, value: unknown, about: Fill): Promise<unknown> {
  if (typeof value === 'string') return about.scripts.fill(field, value, about.variables);
  if (Array.isArray(value))
    return Promise.all(value.map((entry, index) => filled(`${field}[${index}]`, entry, about)));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(
    async ([key, entry]) => [key, await filled(`${field}.${key}`, entry, about)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
interface Fill {
  scripts: ScriptRunner;
  variables: Record<string, unknown>;
}

/** The properties whose filter holds, with their templates filled in. */
export async function propertiesOf(
  properties: ScraperBase['properties'],
  item: Subject,
  scripts: ScriptRunner,
): Promise<Record<string, unknown>[]> {
  const kept: Record<string, unknown>[] = [];
  for (const [index, { filter, ...property }] of (properties ?? []).entries()) {
    const field = `properties[${index}]`;
    if ((await scripts.holds(`${field}.filter`, filter, item.variables)) !== true) continue;
    const value = await filled(field, property, { scripts, variables: item.variables });
    if (isRecord(value)) kept.push(value);
  }
  return kept;
}

/** Other names or places by the rules for the item's type. */
export async function namedBy(
  field: 'aliases' | 'locations',
  given: { entry: ScraperBase; item: Subject },
  scripts: ScriptRunner,
): Promise<string[]> {
  const { entry, item } = given;
  const found: string[] = [];
  const add = async (where: string, values: readonly (string | number | boolean)[]) => {
    for (const value of values) {
      const text = (await scripts.fill(where, String(value), item.variables)).trim();
      if (text !== '') found.push(text);
    }
  };
  await add(field, entry[field] ?? []);
  for (const [index, rule] of (entry.transform?.[field] ?? []).entries()) {
    const where = `transform.${field}[${index}]`;
    if (rule.withParent !== undefined) {
      scripts.warn(`${where}.withParent: parents are not known here; the rule is left out`);
      continue;
    }
    if (!isOfType(rule.type === undefined ? [] : [rule.type], item.type)) continue;
    if ((await scripts.holds(`${where}.filter`, rule.filter, item.variables)) !== true) continue;
    await add(`${where}.values`, rule.values);
  }
  return found;
}
