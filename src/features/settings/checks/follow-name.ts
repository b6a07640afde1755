/** A first check is called like its canary while nobody names it otherwise (contract §19.9). */
import { withValue } from '../../../ui/document/edit-document.ts';
import { parseYamlObject } from '../../../ui/code/yaml-lint.ts';

const isEntry = (value: unknown): value is { name?: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The specification with its only check renamed, if that one was called like the canary so far. */
export function followName(spec: string, before: string, name: string): string {
  const parsed = parseYamlObject(spec);
  if (!parsed.ok) return spec;
  const lists = Object.entries(parsed.value).flatMap(([key, value]) =>
    Array.isArray(value) ? value.map((entry: unknown, at) => ({ path: [key, at], entry })) : [],
  );
  const [first] = lists;
  if (lists.length !== 1 || first === undefined || !isEntry(first.entry)) return spec;
  const { name: own = '' } = first.entry;
  return own === before ? withValue(spec, [...first.path, 'name'], name) : spec;
}
