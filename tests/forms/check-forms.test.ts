/** Every kind of check that runs has a form by construction: its schema says which fields there are. */
import { describe, expect, test } from 'vitest';
import { schemaFile } from '../../server/app/schemas/schema-files.ts';
import { CHECK_KINDS } from '../../server/health/kinds/all-kinds.ts';
import { STORED_KINDS } from '../../server/health/kinds/stored-kinds.ts';
import { SCRAPER_EXAMPLES } from '../../src/domain/settings/scraper-examples.ts';
import {
  documentFields,
  entryKinds,
  fieldsInSight,
  fittingFields,
  offeredKinds,
  readDocumentSchema,
} from '../../src/ui/document/schema-fields.ts';

const schema = readDocumentSchema(JSON.parse(schemaFile('canary.spec.schema.json') ?? 'null'));
if (schema === null) throw new Error('no schema of canaries');
const kinds = entryKinds(schema);
const kindOf = (key: string) => kinds.find((kind) => kind.key === key);
const controls = (key: string) =>
  Object.fromEntries(kindOf(key)?.fields.map(({ key: name, control }) => [name, control.kind]) ?? []);

describe('the forms of checks', () => {
  test.each(CHECK_KINDS.map((kind) => [kind.key, kind] as const))('%s', (key, kind) => {
    const form = kindOf(key);
    expect(form?.title).toBe(kind.title);
    const known = new Set(form?.fields.map(({ key: name }) => name));
    // What the example has can be filled in.
    for (const name of Object.keys(kind.example)) expect(known).toContain(name);
    expect(known).toContain('name');
  });

  test('each value has the control that fits it', () => {
    expect(controls('http')).toMatchObject({
      name: 'text',
      url: 'text',
      body: 'text',
      password: 'secret',
      labels: 'labels',
      responseCodes: 'texts',
      thresholdMillis: 'number',
      templateBody: 'boolean',
      test: 'script',
      transformDeleteStrategy: 'choice',
      authentication: 'group',
    });
    expect(
      kindOf('tcp')
        ?.fields.filter(({ isRequired }) => isRequired)
        .map(({ key }) => key),
    ).toEqual(['endpoint']);
  });

  test('settings of the document are not among the checks', () => {
    expect(documentFields(schema).map(({ key }) => key)).toEqual(
      expect.arrayContaining(['schedule', 'replicas', 'owner']),
    );
    expect(documentFields(schema).map(({ key }) => key)).not.toContain('http');
  });

  test('a kind with two names is offered once, and one that does not run here not at all', () => {
    const titles = offeredKinds(kinds).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(CHECK_KINDS.map(({ title }) => title).toSorted());
    const shown = new Set([...kinds, ...documentFields(schema)].map(({ key }) => key));
    expect(Object.keys(STORED_KINDS).filter((key) => shown.has(key))).toEqual([]);
  });

  test('the body of a call is asked for where one is sent (spec 2 §5)', () => {
    const fields = kindOf('http')?.fields ?? [];
    const hasBody = (value: object) => fittingFields(fields, { ...value }).some(({ key }) => key === 'body');
    for (const method of ['POST', 'PUT']) expect(hasBody({ method })).toBe(true);
    for (const value of [{}, { method: 'GET' }, { method: 'DELETE' }]) expect(hasBody(value)).toBe(false);
    expect(hasBody({ method: 'GET', body: 'kept' })).toBe(true);
  });

  test('what is required, usual or filled in stands in sight, the rest is a press away', () => {
    const tcp = kindOf('tcp');
    if (tcp === undefined) throw new Error('no tcp');
    const { inSight, more } = fieldsInSight(tcp.fields, { example: tcp.example, value: { icon: 'db' } });
    expect(inSight.map(({ key }) => key)).toEqual(['name', 'endpoint', 'thresholdMillis', 'icon']);
    expect(more.length).toBe(tcp.fields.length - inSight.length);
  });
});

describe('the forms of scrapers', () => {
  const scraper = readDocumentSchema(JSON.parse(schemaFile('config_scraper.spec.schema.json') ?? 'null'));
  const forms = scraper === null ? [] : entryKinds(scraper);

  test('each kind of the product has one (contract §19.9)', () => {
    expect(forms.map(({ key }) => key).toSorted()).toEqual(Object.keys(SCRAPER_EXAMPLES).toSorted());
    expect(Object.keys(SCRAPER_EXAMPLES)).toEqual(
      expect.arrayContaining(
        'kubernetes azure kubernetesFile sql trivy aws file githubActions http azureDevops'.split(' '),
      ),
    );
  });

  test.each(Object.entries(SCRAPER_EXAMPLES))(
    '%s can be filled in as its example',
    (key, { title, example }) => {
      const form = forms.find((one) => one.key === key);
      expect(form?.title).toBe(title);
      const known = form?.fields.map(({ key: name }) => name) ?? [];
      expect(known).toEqual(expect.arrayContaining(Object.keys(example)));
    },
  );

  test('schedule and retention are asked for beside the entries', () => {
    const settings = scraper === null ? [] : documentFields(scraper);
    expect(settings.map(({ key }) => key)).toEqual(expect.arrayContaining(['schedule', 'retention']));
  });
});
