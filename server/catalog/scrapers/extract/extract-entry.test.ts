/** The specifications and expected outputs of upstream, and the rules that they leave open. */
import { readFile, readdir } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { scraperBaseSchema } from '../../../../src/contract/specs/scraper-entry.ts';
import { createExpressions } from '../../../platform/expressions/expression-thread.ts';
import { createScriptEvaluator } from '../../../platform/expressions/evaluate-script.ts';
import type { RawDocument, ScrapedAnalysis, ScrapedChange } from '../specs/scraped.ts';
import { extractEntry } from './extract-entry.ts';
import type { Extracted } from './extract-entry.ts';

const FIXTURES = new URL('../../../../../shared/fixtures/scrapers/', import.meta.url);
const expressions = createExpressions();
afterAll(() => expressions.close());

const NOW = new Date('2026-08-21T06:30:00Z');
const read = (path: string) => readFile(new URL(path, FIXTURES), 'utf8');

const document = (content: unknown, more: Partial<RawDocument> = {}): RawDocument => ({
  content,
  format: 'json',
  source: 'data.json',
  known: {},
  ...more,
});

function extract(content: unknown, entry: object = {}, isFull = false): Promise<Extracted> {
  const output = { documents: [document(content)], changes: [], analyses: [], errors: [], isComplete: true };
  return extractEntry(
    output,
    { field: 'file[0]', entry: scraperBaseSchema.parse(entry), isFull, now: NOW },
    expressions,
  );
}

const fileSpec = z.object({
  spec: z.object({
    full: z.boolean().optional(),
    file: z.array(z.looseObject({ paths: z.array(z.string()) })),
  }),
});
const expectedItems = z.array(
  z.object({
    config_type: z.string(),
    config_class: z.string(),
    name: z.string(),
    id: z.string(),
    config: z.unknown(),
  }),
);

describe('upstream outputs', () => {
  test.each(['file-exclusion', 'file-script', 'file-script-gotemplate'])(
    '%s comes out exactly',
    async (name) => {
      const { spec } = fileSpec.parse(parse(await read(`fixtures/${name}.yaml`)));
      const [entry] = spec.file;
      const content: unknown = JSON.parse(await read(entry?.paths[0] ?? ''));
      const { items, errors, warnings } = await extract(content, entry);
      expect([...errors, ...warnings]).toEqual([]);
      const shown = items.map((item) => ({
        config_type: item.type,
        config_class: item.configClass ?? item.type.split('::')[0],
        name: item.name,
        id: item.externalIds[0],
        config: item.config,
      }));
      expect(shown).toEqual(expectedItems.parse(JSON.parse(await read(`fixtures/expected/${name}.json`))));
    },
  );
});

const changeFacts = (change: ScrapedChange) => ({
  external_id: change.about?.externalId,
  config_type: change.about?.type,
  change_type: change.changeType,
  action: change.action ?? (change.details as { action?: string } | null)?.action ?? null,
  severity: change.severity,
  summary: change.summary,
});
const analysisFacts = ({ about, analyzer, severity, summary }: ScrapedAnalysis) => ({
  external_id: about?.externalId,
  config_type: about?.type,
  analyzer,
  severity,
  summary,
});

/** What the assertions of the fixtures look at. */
function scopeOf(extracted: Extracted): Record<string, unknown> {
  return {
    config: extracted.items[0]?.config ?? null,
    changes: [...extracted.changes, ...extracted.items.flatMap(({ changes }) => changes)].map(changeFacts),
    analysis: extracted.analyses.map(analysisFacts),
    warnings: extracted.warnings.map((text) => ({ error: text.replace(/^file\[0\]\./, '') })),
    summary: extracted.counts,
  };
}

const assert = createScriptEvaluator({ now: () => 0, uuid: () => '' });
const unitCase = z.object({ input: z.unknown(), assertions: z.array(z.string()) });

/** Access of users to items is no part of this product: what these are about is left out and named. */
const ABOUT_ACCESS = ['config_ref_defaults', 'config_ref_uuid', 'external_config_id', 'json_roundtrip'];

const units = (await readdir(new URL('extract/unit/', FIXTURES))).map((file) => file.replace('.yaml', ''));

describe('full documents of upstream', () => {
  test.each(units.filter((name) => !ABOUT_ACCESS.includes(name)))(
    '%s: every assertion holds',
    async (name) => {
      const { input, assertions } = unitCase.parse(parse(await read(`extract/unit/${name}.yaml`)));
      const variables = scopeOf(await extract(input, {}, true));
      const failed = assertions.filter(
        (expr) => assert({ expr }, { variables, durationNames: [], lastResult: null }).isTrue !== true,
      );
      expect(failed).toEqual([]);
    },
  );

  test.each(ABOUT_ACCESS)('%s: access is named and left out', async (name) => {
    const { input } = unitCase.parse(parse(await read(`extract/unit/${name}.yaml`)));
    const { warnings } = await extract(input, {}, true);
    expect(warnings).toContainEqual(
      expect.stringMatching(/^file\[0\]\.(access|config_access): users, groups/),
    );
  });
});

describe('what a change or a finding of a document is about', () => {
  const of = (own: object) => ({ external_change_id: '1', change_type: 'X', analyzer: 'a', ...own });

  test.each([
    ['nothing of its own: its document', {}, { type: 'Doc', externalId: 'd' }],
    ['its own type with the id of its document', { config_type: 'Own' }, { type: 'Own', externalId: 'd' }],
    ['its own id with the type of its document', { external_id: 'o' }, { type: 'Doc', externalId: 'o' }],
    ['both its own', { config_type: 'Own', external_id: 'o' }, { type: 'Own', externalId: 'o' }],
  ])('%s', async (_name, own, about) => {
    const parts = { changes: [of(own)], analysis: [of(own)] };
    const found = await extract({ id: 'd', config_type: 'Doc', config: {}, ...parts }, {}, true);
    expect(found.items[0]?.changes.map((change) => change.about)).toEqual([about]);
    expect(found.analyses.map((finding) => finding.about)).toEqual([about]);
    const loose = await extract({ external_id: 'd', config_type: 'Doc', ...parts }, {}, true);
    expect(loose.changes.map((change) => change.about)).toEqual([about]);
  });

  test('an id without any type is an id of any type, and is not dropped', async () => {
    const changes = [of({ external_id: 'o' })];
    const found = await extract({ changes }, { id: 'None', type: 'None' }, true);
    expect(found.changes.map((change) => change.about)).toEqual([{ type: '', externalId: 'o' }]);
    expect(found.counts.changes).toEqual({ scraped: 1, skipped: 0 });
  });

  test('one that says no id, in a document that says none, is about nothing', async () => {
    const found = await extract(
      { changes: [of({ config_type: 'Own' })] },
      { id: 'None', type: 'None' },
      true,
    );
    expect([found.changes, found.counts.changes, found.warnings]).toEqual([
      [],
      { scraped: 1, skipped: 1 },
      ['file[0].change missing external_id'],
    ]);
  });
});

describe('health', () => {
  test('comes from the document by the rules of its type, where nobody says it', async () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', status: { phase: 'Failed', message: 'disk' } };
    const find = async (content: object, type: string, more: object = {}) =>
      (await extract({ id: '1', ...content }, { id: '$.id', type, ...more })).items[0];
    expect(await find(pod, 'Kubernetes::Pod')).toMatchObject({
      health: 'unhealthy',
      status: 'Failed',
      description: 'disk',
    });
    expect(await find({ DBInstanceStatus: 'storage-full' }, 'AWS::RDS::DBInstance')).toMatchObject({
      health: 'unhealthy',
      status: 'Storage Full',
    });
    expect(await find({ status: 'SUSPENDED' }, 'Some::Thing')).toMatchObject({ health: 'warning' });
    expect(await find({ name: 'plain' }, 'Some::Thing')).toMatchObject({ health: null, status: null });
    expect(await find(pod, 'Kubernetes::Pod', { status: 'mine' })).toMatchObject({
      health: null,
      status: 'mine',
    });
  });
});

describe('fields', () => {
  test('are read by path or taken as they are, and the specification wins over what the kind knows', async () => {
    const output = {
      documents: [
        document(
          { uid: 7, meta: { made: '2026-01-02', zone: 'a', gone: '' }, state: 'up' },
          { known: { name: 'known', status: 'known', labels: { a: '1', b: '1' } } },
        ),
      ],
      changes: [],
      analyses: [],
      errors: [],
      isComplete: true,
    };
    const entry = scraperBaseSchema.parse({
      id: '$.uid',
      type: 'My::Thing',
      status: '$.state',
      health: 'Healthy',
      createFields: ['$.meta.gone', '$.meta.made'],
      timestampFormat: '2006-01-02',
      labels: { b: '2', zone: '$.meta.zone', none: '$.none' },
      tags: [
        { name: 'fixed', value: 'x' },
        { name: 'path', jsonpath: '$.meta.zone' },
        { name: 'label', label: 'a' },
        { name: 'missing', label: 'none' },
      ],
    });
    const { items } = await extractEntry(
      output,
      { field: 'file[0]', entry, isFull: false, now: NOW },
      expressions,
    );
    expect(items[0]).toMatchObject({
      externalIds: ['7'],
      type: 'My::Thing',
      configClass: null,
      name: 'known',
      status: 'up',
      health: 'healthy',
      createdAt: new Date('2026-01-02T00:00:00Z'),
      labels: { a: '1', b: '2', zone: 'a' },
      tags: { fixed: 'x', path: 'a', label: '1' },
    });
  });

  test('a list becomes its elements, `items` finds those deeper down', async () => {
    const flat = await extract([{ id: 1 }, { id: 2 }], { id: '$.id', type: 'T' });
    expect(flat.items.map((item) => item.externalIds[0])).toEqual(['1', '2']);
    const deep = await extract({ list: [{ id: 1 }, { id: 2 }] }, { id: '$.id', type: 'T', items: '.list' });
    expect(deep.items.map((item) => item.externalIds[0])).toEqual(['1', '2']);
  });

  test('a document without its id is told with the field, the rest counts', async () => {
    const { items, errors } = await extract([{ id: 1 }, { name: 'x' }], { id: '$.id', type: 'T' });
    expect(items).toHaveLength(1);
    expect(errors).toEqual(['file[0].id: "$.id" finds nothing in data.json']);
  });

  test('a delete field deletes', async () => {
    const { items } = await extract(
      { id: 1, at: '2026-01-02T03:04:05Z' },
      { id: '$.id', type: 'T', deleteFields: ['.at'] },
    );
    expect(items[0]).toMatchObject({
      deletedAt: new Date('2026-01-02T03:04:05Z'),
      deleteReason: 'FROM_DELETE_FIELD',
    });
  });
});

describe('transform', () => {
  test('masks hide values; a selector that fails hides them too', async () => {
    const masks = (selector: string) => ({
      id: '$.id',
      type: 'T',
      transform: {
        mask: [
          { selector, jsonpath: "$..['password','token'].value", value: '******' },
          { selector, jsonpath: '.hashed', value: 'md5sum' },
        ],
      },
    });
    const secret = { id: 1, a: { password: { value: 'hush' } }, token: { value: 't' }, hashed: 'x' };
    const hidden = {
      id: 1,
      a: { password: { value: '******' } },
      token: { value: '******' },
      hashed: '9dd4e461268c8034f5c8564e155c67a6',
    };
    expect((await extract(secret, masks('config_type == "T"'))).items[0]?.config).toEqual(hidden);
    expect((await extract(secret, masks('config.none.deeper == 1'))).items[0]?.config).toEqual(hidden);
    expect((await extract(secret, masks('config_type == "U"'))).items[0]?.config).toEqual(secret);
  });

  test('relationships are looked up by value, label and expression; half a lookup is none', async () => {
    const { items } = await extract(
      { id: 1, backend: 'b', volumes: ['v'] },
      {
        id: '$.id',
        type: 'T',
        labels: { app: 'shop' },
        transform: {
          relationship: [
            { type: { value: 'D' }, name: { expr: 'config.backend' }, scope: { value: 'all' } },
            { type: { value: 'D' }, name: { label: 'none' } },
            { name: { label: 'app' } },
            { filter: 'config_type == "U"', name: { value: 'x' } },
            { parent: true, expr: 'config.volumes.map(v, {"type": "V", "external_id": v}).toJSON()' },
          ],
        },
      },
    );
    expect(items[0]?.relationships).toEqual([
      { to: { type: 'D', name: 'b', scope: 'all' }, relation: '', direction: 'out' },
      { to: { name: 'shop' }, relation: '', direction: 'out' },
      { to: { type: 'V', externalId: 'v' }, relation: 'hard', direction: 'in' },
    ]);
  });

  test('changes are mapped by the first rule that holds, and left out by an exclusion', async () => {
    const change = (id: string, type: string) => ({
      external_change_id: id,
      change_type: type,
      summary: 'was',
    });
    const { items } = await extract(
      { id: '1', config: { a: 1 }, changes: [change('1', 'A'), change('2', 'B'), change('3', 'C')] },
      {
        type: 'T',
        transform: {
          changes: {
            mapping: [
              {
                filter: 'change_type == "A" && config_type == "T"',
                type: 'AA',
                severity: 'high',
                summary: '{{.name}}: {{.summary}}',
              },
              { filter: 'change_type.startsWith("A")', type: 'never' },
              { filter: 'change_type == "C"', action: 'delete' },
            ],
            exclude: ['change_type == "B"'],
          },
        },
      },
      true,
    );
    expect(
      items[0]?.changes.map(({ changeType, severity, summary, action }) => [
        changeType,
        severity,
        summary,
        action,
      ]),
    ).toEqual([
      ['AA', 'high', '1: was', null],
      ['B', null, 'was', 'ignore'],
      ['C', null, 'was', 'delete'],
    ]);
  });

  test('properties keep those whose filter holds, with their templates filled in', async () => {
    const { items } = await extract(
      { id: '1', host: 'web' },
      {
        id: '$.id',
        type: 'T',
        properties: [
          {
            name: 'Logs',
            filter: 'config_type == "T"',
            links: [{ text: 'logs', url: 'https://logs/{{.id}}/{{.config.host}}' }],
          },
          { name: 'None', filter: 'config_type == "U"' },
        ],
      },
    );
    expect(items[0]?.properties).toEqual([
      { name: 'Logs', links: [{ text: 'logs', url: 'https://logs/1/web' }] },
    ]);
  });

  test('aliases become further ids, locations properties', async () => {
    const { items } = await extract(
      { id: '1' },
      {
        id: '$.id',
        type: 'AWS::VPC',
        tags: { region: 'eu' },
        transform: {
          aliases: [
            { type: 'AWS::VPC', values: ['vpc://{{.tags.region}}/{{.name}}'] },
            { type: 'X', values: ['no'] },
          ],
          locations: [{ type: 'AWS::*', filter: 'has(tags.region)', values: ['region://{{.tags.region}}'] }],
        },
      },
    );
    expect(items[0]?.externalIds).toEqual(['1', 'vpc://eu/1']);
    expect(items[0]?.properties).toEqual([{ name: 'location', text: 'region://eu' }]);
  });

  test('a script that fails is told with its field; a filter that fails is a warning', async () => {
    const broken = await extract(
      { id: 1 },
      { id: '$.id', type: 'T', transform: { expr: 'config.none.deeper' } },
    );
    expect(broken.errors[0]).toMatch(/^file\[0\]\.transform: .*\(data\.json\)$/);
    const warned = await extract(
      { id: 1 },
      {
        id: '$.id',
        type: 'T',
        transform: { relationship: [{ filter: 'config.none.deeper', name: { value: 'x' } }] },
      },
    );
    expect(warned.items).toHaveLength(1);
    expect(warned.warnings[0]).toMatch(/^file\[0\]\.transform\.relationship\[0\]\.filter: /);
  });
});
