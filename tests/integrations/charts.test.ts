/** Forms and manifests of the charts that were published: every chart's schema becomes a form, every form installs. */
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { CHARTS, CHART_FACTS, type ChartKey } from '../../src/domain/integration/charts.ts';
import { chartFormSchema } from '../../src/domain/integration/chart-schema.ts';
import {
  fluxObjects,
  helmCommands,
  isInterval,
  isObjectName,
} from '../../src/domain/integration/manifests.ts';
import { problemsByPath, schemaOf } from '../../src/ui/code/yaml-lint.ts';
import { documentFields, readDocumentSchema } from '../../src/ui/document/schema-fields.ts';

const FOLDER = '../shared/fixtures/charts';
const schemaOfChart = (chart: ChartKey) =>
  JSON.parse(readFileSync(`${FOLDER}/${chart}/values.schema.json`, 'utf8')) as Record<string, unknown>;

function fieldsOf(chart: ChartKey) {
  const read = readDocumentSchema(chartFormSchema(schemaOfChart(chart)));
  if (read === null) throw new Error('no form');
  return documentFields(read);
}
const required = (chart: ChartKey) =>
  fieldsOf(chart).flatMap(({ key, isRequired }) => (isRequired ? [key] : []));

describe('forms of charts', () => {
  test.each(CHARTS)('%s has one, with a name that is known without its registry', (chart) => {
    const head = parse(readFileSync(`${FOLDER}/${chart}/Chart.yaml`, 'utf8')) as { name: string };
    expect(CHART_FACTS[chart].name).toBe(head.name);
    expect(fieldsOf(chart).length).toBeGreaterThan(3);
    expect(schemaOf(chartFormSchema(schemaOfChart(chart)))).not.toBeNull();
  });

  test('only what no default of the chart fills in is asked for', () => {
    expect(Object.fromEntries(CHARTS.map((chart) => [chart, required(chart)]))).toEqual({
      aws: [],
      azure: [],
      prometheus: ['prometheusURL', 'topologyName'],
      flux: [],
      kubernetes: ['clusterName'],
      'mission-control': [],
    });
  });

  test('secrets may be references, defaults are shown, what is deprecated is not asked for', () => {
    const azure = Object.fromEntries(fieldsOf('azure').map(({ key, control }) => [key, control.kind]));
    expect(azure).toMatchObject({
      clientSecret: 'secret',
      tenantID: 'text',
      scraper: 'group',
      labels: 'labels',
    });
    const own = fieldsOf('mission-control');
    expect(own.map(({ key }) => key)).not.toContain('topologyName');
    expect(own.find(({ key }) => key === 'createConnection')).toMatchObject({ initial: true });
    expect(own.find(({ key }) => key === 'connectionName')).toMatchObject({
      placeholder: 'mission-control-db',
    });
  });

  test('a value of the wrong kind is told at its field', () => {
    const validator = schemaOf(chartFormSchema(schemaOfChart('kubernetes')));
    const problems = problemsByPath('clusterName: production\nmetrics:\n  enabled: maybe\n', validator);
    expect([...problems.keys()]).toEqual(['metrics.enabled']);
  });

  test('any JSON at all is read without an error', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (schema) => {
        expect(chartFormSchema(schema as Record<string, unknown>)).toHaveProperty('examples');
      }),
    );
  });
});

const INSTALLATION = { chart: 'mission-control-flux', namespace: 'mission-control', interval: '30m' };

describe('what installs a chart', () => {
  test('Flux gets a namespace, where the chart is, and its release with the values', () => {
    const objects = fluxObjects({ ...INSTALLATION, values: { topologyName: 'flux' } });
    expect(objects).toMatchObject([
      { kind: 'Namespace', metadata: { name: 'mission-control' } },
      { kind: 'HelmRepository', spec: { url: 'https://flanksource.github.io/charts', interval: '5m0s' } },
      {
        kind: 'HelmRelease',
        metadata: { name: 'mission-control-flux', namespace: 'mission-control' },
        spec: { interval: '30m', values: { topologyName: 'flux' } },
      },
    ]);
  });

  test('values are no part of a command, whatever they say', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
        fc.boolean(),
        (values, isEnd) => {
          const text = stringify(isEnd ? { ...values, end: 'EOF\nEOF_\nrm -rf /' } : values);
          const commands = helmCommands({ ...INSTALLATION, values }, text);
          const word = /<<'(EOF_*)'/.exec(commands)?.[1] ?? '';
          const [, document = ''] = commands.split(`<<'${word}'\n`);
          // The shell reads up to the first line that is the word: all of the values, and nothing after them.
          const lines = document.split('\n');
          const end = lines.indexOf(word);
          expect(lines.slice(0, end).join('\n')).toBe(text.trimEnd());
          expect(lines.slice(end + 1).join('')).toBe('');
        },
      ),
    );
  });

  test('without values there is nothing to read', () => {
    expect(helmCommands({ ...INSTALLATION, values: {} }, '')).not.toContain('--values');
  });

  test.each(['a; rm -rf /', 'A', '-a', 'a_b', '', 'x'.repeat(64), '$(id)'])('%j is no namespace', (text) =>
    expect(isObjectName(text)).toBe(false),
  );
  test.each([
    ['30m', true],
    ['1h30m', true],
    ['30', false],
    ['@daily', false],
  ])('%s as an interval: %s', (text, is) => expect(isInterval(text)).toBe(is));

  test.each(['kubernetes', 'mission-control', 'flux', 'azure', 'aws'] as const)(
    'values that the form of %s takes are taken by the chart where it names no other schema',
    (chart) => {
      // Refs to schemas at other hosts and "required" of what defaults fill in are no part of this.
      const bare = JSON.parse(
        JSON.stringify(schemaOfChart(chart), (key, value: unknown) =>
          key === '$ref' || key === 'required' ? undefined : value,
        ),
      ) as object;
      const isTaken = new Ajv({ strict: false }).compile(bare);
      const values = chart === 'kubernetes' ? { clusterName: 'a' } : {};
      expect(isTaken(values)).toBe(true);
    },
  );
});
