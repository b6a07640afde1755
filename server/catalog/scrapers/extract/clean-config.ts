/** What of a document is not stored: exclusions and masks of a transform (schema §5.2). */
import { createHash } from 'node:crypto';
import { matchesList, parseMatchList } from '../../../../src/domain/match-list.ts';
import type { ScraperBase } from '../../../../src/contract/specs/scraper-entry.ts';
import type { ScriptRunner } from './extract-scope.ts';
import { removeAt, replaceAt } from './json-values.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

type Transform = NonNullable<ScraperBase['transform']>;

/** Md5 is what specifications name; it hides values from eyes and still shows that they changed. */
const HASHES = lookupTable<string>({ md5sum: 'md5', sha1sum: 'sha1', sha256sum: 'sha256' });

/** True when the list is empty or matches (`!x`, `*`). */
export function isOfType(types: readonly (string | number | boolean)[] | undefined, type: string): boolean {
  return types === undefined || types.length === 0 || matchesList(parseMatchList(types.join(',')), type);
}

function masked(mask: string): (value: unknown) => unknown {
  const hash = HASHES[mask];
  if (hash === undefined) return () => mask;
  return (value) =>
    createHash(hash)
      .update(typeof value === 'string' ? value : JSON.stringify(value))
      .digest('hex');
}

/** The document without what the transform takes out; the one that was given stays as it is. */
export async function cleanConfig(
  transform: Transform | undefined,
  item: { config: unknown; type: string; variables: Record<string, unknown> },
  scripts: ScriptRunner,
): Promise<unknown> {
  const excludes = transform?.exclude ?? [];
  const masks = transform?.mask ?? [];
  if (excludes.length + masks.length === 0 || typeof item.config !== 'object') return item.config;
  const config: unknown = structuredClone(item.config);
  for (const { types, type, jsonpath } of excludes) {
    if (isOfType(types ?? (type === undefined ? [] : [type]), item.type)) removeAt(config, jsonpath);
  }
  for (const [index, { selector, jsonpath, value }] of masks.entries()) {
    const isMeant = await scripts.holds(`transform.mask[${index}].selector`, selector, item.variables);
    // What hides values hides them too when it can't say for which.
    if (isMeant !== false) replaceAt(config, jsonpath, masked(String(value)));
  }
  return config;
}
