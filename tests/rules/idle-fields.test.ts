/**
 * No field of a check or a scraper is accepted and then ignored: each that a schema knows is read by the code of its kind, or
 * by the code that it is handed on to. Reads are found in the syntax of the files that a kind's own file leads to.
 */
import fastGlob from 'fast-glob';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { importsOf, parseFile } from '../../scripts/read-imports.mjs';
import { SCRIPT_LANGUAGES } from '../../src/domain/script-language.ts';
import { isRecord } from '../../src/lib/is-record.ts';
import { SCRAPER_KINDS } from '../../src/contract/specs/scraper-spec.ts';
import { common } from '../../server/health/kind/spec-fields.ts';
import { CHECK_KINDS } from '../../server/health/kinds/all-kinds.ts';

interface Read {
  source: string;
  names: ReadonlySet<string>;
  imports: readonly string[];
}
const known = new Map<string, Read>();

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => isRecord(value);

/** The names that are taken out of an object; under `_name`, to be thrown away, is not reading. */
function namesTaken({ properties }: Node): string[] {
  return (Array.isArray(properties) ? properties : []).filter(isNode).flatMap(({ type, key, value }) => {
    const target = isNode(value) && value['type'] === 'AssignmentPattern' ? value['left'] : value;
    const own = isNode(target) ? target['name'] : '';
    const isThrownAway = typeof own === 'string' && own.startsWith('_');
    const name = isNode(key) ? (key['name'] ?? key['value']) : null;
    return type === 'Property' && typeof name === 'string' && !isThrownAway ? [name] : [];
  });
}

/** `a.name`, `a['name']`, `const { name } = a`. */
function namesRead(node: unknown, into: Set<string>): void {
  if (Array.isArray(node)) for (const one of node) namesRead(one, into);
  if (!isNode(node)) return;
  const { type, computed, property } = node;
  if (type === 'ObjectPattern') for (const name of namesTaken(node)) into.add(name);
  if (type === 'MemberExpression' && isNode(property)) {
    const name = computed === true ? property['value'] : property['name'];
    if (typeof name === 'string') into.add(name);
  }
  for (const one of Object.values(node)) if (typeof one === 'object') namesRead(one, into);
}

function read(file: string): Read {
  const found = known.get(file);
  if (found !== undefined) return found;
  const parsed = parseFile(file);
  const names = new Set<string>();
  namesRead(parsed.program.body, names);
  const answer = { source: parsed.source, names, imports: importsOf(file, parsed) };
  known.set(file, answer);
  return answer;
}

/** Every name that is read in the file and in those below `within` that it leads to. */
function readFrom(files: readonly string[], within: RegExp): Set<string> {
  const seen = new Set<string>();
  const names = new Set<string>();
  const look = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const { names: own, imports } = read(file);
    for (const name of own) names.add(name);
    for (const next of imports) if (next.endsWith('.ts') && within.test(next)) look(next);
  };
  for (const file of files) look(file);
  return names;
}

/** `a`, `a.b`, `a[].b` for all that a schema knows by name. */
function fieldsOf(schema: z.ZodType): string[] {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const found = new Set<string>();
  const walk = (node: unknown, path: string): void => {
    if (!isRecord(node)) return;
    for (const list of [node['anyOf'], node['allOf'], node['oneOf']])
      if (Array.isArray(list)) for (const one of list as unknown[]) walk(one, path);
    walk(node['items'], `${path}[]`);
    for (const [name, one] of Object.entries(isRecord(node['properties']) ? node['properties'] : {})) {
      const own = path === '' ? name : `${path}.${name}`;
      found.add(own);
      walk(one, own);
    }
  };
  walk(whole, '');
  return [...found];
}

/** `http: crawl.depth` → depth. */
const lastOf = (field: string): string => /\w+(?=(\[\])*$)/.exec(field)?.[0] ?? '';

interface Elsewhere {
  of: RegExp;
  files: readonly string[];
}

/** Those that neither the kind's own code reads nor the code that they are handed on to. */
function idleAmong(
  fields: readonly string[],
  names: ReadonlySet<string>,
  elsewhere: readonly Elsewhere[],
): string[] {
  return fields.filter((field) => {
    const files = elsewhere.filter(({ of }) => of.test(field)).flatMap((one) => one.files);
    return !names.has(lastOf(field)) && !readFrom(files, /^$/).has(lastOf(field));
  });
}

/** What a kind hands on whole, and who reads it. */
const OF_CHECKS: readonly Elsewhere[] = [
  { of: /^catalog: selector\[\]\./, files: ['src/domain/selector/resource-selector.ts'] },
  { of: /^exec: connections\./, files: ['server/connections/exec-connections.ts'] },
  {
    of: /^webhook: token/,
    files: ['server/health/running/posted-checks.ts', 'server/health/kind/secret-values.ts'],
  },
];
const SECRETS_OF_SCRAPERS = 'server/catalog/scrapers/running/scrape-secrets.ts';
/** Named by a text of the code: which fields, where, and what stands there if not their own name. */
const BY_TEXT: readonly (readonly [RegExp, string, string?])[] = [
  [/\.valueFrom\.(helmRef|serviceAccount)$/, 'server/health/documents/not-run.ts'],
  [/\.valueFrom\.(secret|configMap)KeyRef$/, SECRETS_OF_SCRAPERS],
  [/\.valueFrom\.(helmRef|serviceAccount)$/, SECRETS_OF_SCRAPERS, 'valueFrom: takes secretKeyRef or'],
  [/(: |\.)locations$/, 'server/catalog/scrapers/extract/extract-item.ts'],
  // A property is filled in as a whole.
  [/: properties\[\]\.links$/, 'server/catalog/scrapers/extract/extract-entry.test.ts'],
  [/^logs: \w+$/, 'src/contract/specs/log-backend-spec.ts'],
  [/^catalog: selector\[\]\.(label|tag|field)Selector$/, 'src/domain/selector/resource-selector.ts'],
  [/^catalog: selector\[\]\.cache$/, 'server/health/kinds/catalog/catalog-kind.ts'],
  [/^(pod|namespace): \w+(Timeout|Interval)$/, 'server/health/kinds/cluster/pod-life.ts'],
];
const isByText = (field: string): boolean =>
  BY_TEXT.some(([of, file, text = lastOf(field)]) => of.test(field) && read(file).source.includes(text));

const KIND_FILES = fastGlob.sync('server/health/kinds/*/*.ts', { ignore: ['**/*.test.ts'] });

describe('fields of checks', () => {
  test.each(CHECK_KINDS.map((kind) => [kind.key, kind] as const))('%s: each is read', (key, kind) => {
    const own = KIND_FILES.filter((file) => read(file).source.includes(`key: '${key}',`));
    expect(own).toHaveLength(1);
    const ofAll = new Set(fieldsOf(z.object(common)));
    const fields = fieldsOf(kind.schema)
      .filter((field) => !ofAll.has(field))
      .map((field) => `${key}: ${field}`);
    expect(fields.length).toBeGreaterThan(0);
    const idle = idleAmong(fields, readFrom(own, /^server\/health\//), OF_CHECKS);
    expect(idle.filter((field) => !isByText(field))).toEqual([]);
  });
});

/** Where the fields that all checks have are read. */
const OF_EVERY_CHECK = fastGlob.sync(
  [
    'server/health/{running,documents,canaries}/*.ts',
    'server/platform/expressions/*.ts',
    'server/topology/jobs/*.ts',
  ],
  { ignore: ['**/*.test.ts'] },
);

test('what every check may say is read', () => {
  const fields = fieldsOf(z.object(common)).map((field) => `every: ${field}`);
  // For people and scripts, who read it from the entry as it is written: endpointOf of run-entry.ts.
  const shown = new Set(['every: endpoint']);
  // Read by their names: script-language.test.ts.
  const scripts = new Set<string>(SCRIPT_LANGUAGES.flatMap(({ keys }) => keys));
  const idle = idleAmong(fields, readFrom(OF_EVERY_CHECK, /^$/), []);
  expect(idle.filter((field) => !shown.has(field) && !scripts.has(lastOf(field)))).toEqual([]);
});

describe('fields of scrapers', () => {
  /** Told in each run: WITHOUT_EFFECT of scraper-document.ts, held by kind-facts.test.ts. */
  const TOLD = new Set([
    'kubernetes: useCache',
    'kubernetes: allowIncomplete',
    'azure: organisation',
    'trivy: version',
  ]);
  const WITHIN = /^server\/(catalog\/scrapers|logs|connections|health\/kind)\//;
  const files = fastGlob.sync('server/catalog/scrapers/kinds/*/*-kind.ts');
  const OF_ALL = fastGlob.sync('server/catalog/scrapers/{extract,specs,running}/*.ts', {
    ignore: ['**/*.test.ts'],
  });

  test.each(Object.entries(SCRAPER_KINDS))('%s: each is read', (key, schema) => {
    const own = files.filter((file) => read(file).source.includes(`kind: '${key}',`));
    const names = readFrom([...own, ...OF_ALL], WITHIN);
    const idle = idleAmong(
      fieldsOf(schema).map((field) => `${key}: ${field}`),
      names,
      [],
    );
    expect(idle.filter((field) => !TOLD.has(field) && !isByText(field))).toEqual([]);
  });
});

test('a field that nobody reads is found', () => {
  const names = new Set<string>();
  const { program } = parseSync(
    'a.ts',
    'const { used, kept: [own], gone: _gone, ...rest } = spec; rest.more[spec["last"]];',
  );
  namesRead(program.body, names);
  expect([...names].toSorted()).toEqual(['kept', 'last', 'more', 'used']);
  expect(idleAmong(['a: used', 'a: b.idle[]', 'a: b[].last'], names, [])).toEqual(['a: b.idle[]']);
});
