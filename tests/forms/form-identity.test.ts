/**
 * Form and YAML are two views of one text, for every kind that has a form: what is filled in stands in the text, and the
 * text shows it in the form again; comments and fields that no form knows stay (decisions/0049).
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { schemaFile } from '../../server/app/schemas/schema-files.ts';
import { SCRIPT_LANGUAGES } from '../../src/domain/script-language.ts';
import { parseYamlObject } from '../../src/ui/code/yaml-lint.ts';
import { isFormable, valueAt, withValue, type DocumentPath } from '../../src/ui/document/edit-document.ts';
import {
  entryKinds,
  readDocumentSchema,
  type EntryKind,
  type FieldControl,
  type SchemaField,
} from '../../src/ui/document/schema-fields.ts';

const word = fc.stringMatching(/^[a-z]{1,6}$/);
/** What people type, with what means something in YAML. */
const typed = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.constantFrom(
    'yes',
    'null',
    '~',
    '007',
    '1e3',
    '- a',
    'a: b',
    '# no comment',
    '$(username)',
    'a\nb\n',
    '{{.x}}',
  ),
);
const reference = fc.record({ name: word, key: word });

function recordOf(fields: readonly SchemaField[], depth: number): fc.Arbitrary<Record<string, unknown>> {
  if (fields.length === 0) return fc.constant({ x: 1 });
  const shape = Object.fromEntries(
    fields.slice(0, 6).map(({ key, control }) => [key, valueOf(control, depth + 1)]),
  );
  return fc.record(shape, { requiredKeys: [] }).filter((value) => Object.keys(value).length > 0);
}

/** What a control lets somebody fill in. */
function valueOf(control: FieldControl, depth = 0): fc.Arbitrary<unknown> {
  switch (control.kind) {
    case 'text':
    case 'password':
      return typed;
    case 'number':
      return fc.integer({ min: -5, max: 100_000 });
    case 'boolean':
      return fc.boolean();
    case 'secret':
      return fc.oneof(
        fc.record({ value: typed }),
        fc.record({ valueFrom: fc.record({ secretKeyRef: reference }) }),
        fc.record({ valueFrom: fc.record({ configMapKeyRef: reference }) }),
      );
    case 'labels':
      return fc.dictionary(word, typed, { minKeys: 1, maxKeys: 3 });
    case 'script': {
      const script = fc.oneof(
        ...SCRIPT_LANGUAGES.flatMap(({ keys }) => keys).map((name) => fc.record({ [name]: typed })),
      );
      const { beside } = control;
      if (beside.length === 0 || depth > 1) return script;
      return fc.tuple(script, recordOf(beside, depth)).map(([one, other]) => Object.assign({}, other, one));
    }
    case 'texts':
      return fc.array<unknown>(control.areNumbers ? fc.integer() : typed, { minLength: 1, maxLength: 3 });
    case 'choice':
      return fc.constantFrom(...control.options);
    case 'group':
      return depth > 1 ? fc.constant({ x: 1 }) : recordOf(control.fields, depth);
    case 'list':
      return depth > 1
        ? fc.constant([{ x: 1 }])
        : fc.array(recordOf(control.fields, depth), { minLength: 1, maxLength: 2 });
    case 'yaml':
      return fc.oneof(typed, fc.dictionary(word, fc.oneof(typed, fc.integer()), { minKeys: 1, maxKeys: 2 }));
  }
}

const COMMENTS = ['# why it is here', '# not faster', '# ours', '# last line'];
/** A document as somebody wrote it by hand, with what no form knows. */
function written({ key, isSingle }: EntryKind): string {
  const entry = isSingle
    ? `${key}:\n  # ours\n  x-ours: { kept: [1, 2] }\n`
    : `${key}:\n  # ours\n  - x-ours: { kept: [1, 2] }\n`;
  return `# why it is here\nschedule: "@every 1m" # not faster\n${entry}x-else:\n  - kept\n# last line\n`;
}

interface Filled {
  path: DocumentPath;
  value: unknown;
}
const filledIn = (kind: EntryKind): fc.Arbitrary<Filled[]> => {
  const place: DocumentPath = kind.isSingle ? [kind.key] : [kind.key, 0];
  const some = fc.subarray([...kind.fields], { minLength: 1, maxLength: 4 });
  return some.chain((fields) =>
    fc.tuple(
      ...fields.map(({ key, control }) =>
        valueOf(control).map((value): Filled => ({ path: [...place, key], value })),
      ),
    ),
  );
};

/** What the form shows of a text. */
function shown(text: string): Record<string, unknown> {
  expect(isFormable(text)).toBe(true);
  const read = parseYamlObject(text);
  if (!read.ok) throw new Error(read.message);
  return read.value;
}

const kindsIn = (file: string): [string, EntryKind][] => {
  const schema = readDocumentSchema(JSON.parse(schemaFile(file) ?? 'null'));
  return schema === null ? [] : entryKinds(schema).map((kind) => [kind.key, kind]);
};
/** There are sixty kinds; a night's run multiplies it. */
const RUNS = 6;

describe.each([
  ['checks', 'canary.spec.schema.json', 30],
  ['scrapers', 'config_scraper.spec.schema.json', 11],
])('%s', (_what, file, least) => {
  const kinds = kindsIn(file);

  test('have forms', () => expect(kinds.length).toBeGreaterThanOrEqual(least));

  test.each(kinds)('%s: form → YAML → form is the identity', (_key, kind) => {
    fc.assert(
      fc.property(filledIn(kind), (all) => {
        let text = written(kind);
        const due = parse(text) as Record<string, unknown>;
        for (const { path, value } of all) {
          text = withValue(text, path, value);
          Reflect.set(valueAt(due, path.slice(0, -1)) as object, path.at(-1) ?? '', value);
        }
        for (const comment of COMMENTS) expect(text).toContain(comment);
        // What the form shows, written again, is the same document.
        const form = shown(text);
        expect(form).toEqual(due);
        const again = all.reduce((so, { path }) => withValue(so, path, valueAt(form, path)), text);
        expect(shown(again)).toEqual(due);
        for (const comment of COMMENTS) expect(again).toContain(comment);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  test.each(kinds)('%s: its example is in the form what it is in the text', (_key, kind) => {
    const text = Object.entries(kind.example).reduce(
      (so, [name, value]) => withValue(so, kind.isSingle ? [kind.key, name] : [kind.key, 0, name], value),
      written(kind),
    );
    expect(valueAt(shown(text), kind.isSingle ? [kind.key] : [kind.key, 0])).toMatchObject(kind.example);
  });
});
