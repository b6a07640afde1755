/** The schemas against documents of public projects: what people have written has to be accepted. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { schemaFile } from './schema-files.ts';

const FIXTURES = '../shared/fixtures';
const FILES =
  `canary.spec topology.spec config_scraper.spec scrape_config.spec playbook-spec config_kubernetes
  config_azure config_kubernetesfile config_sql config_trivy config_aws config_file config_githubactions
  config_azuredevops`.split(/\s+/);

function validatorOf(name: string): ValidateFunction {
  const ajv = new Ajv({ allErrors: true, strict: false });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(schemaFile(`${name}.schema.json`) ?? 'null') as object);
}

/** Specifications in YAML files, of documents of this kind. */
function specsIn(pattern: string, kind: string): [string, unknown][] {
  return fastGlob.sync(pattern, { cwd: FIXTURES }).flatMap((file) =>
    parseAllDocuments(readFileSync(`${FIXTURES}/${file}`, 'utf8')).flatMap(
      (document): [string, unknown][] => {
        // Wrong on purpose or by accident, as the fixtures' README says.
        if (/schedule_invalid|metrics-multiple|metrics-transformed/.test(file)) return [];
        const read: unknown = document.toJS();
        const isOfKind = typeof read === 'object' && read !== null && 'kind' in read && read.kind === kind;
        return isOfKind && 'spec' in read ? [[file, read.spec]] : [];
      },
    ),
  );
}

describe('the schemas of the editors', () => {
  it.each(FILES)('%s is there and can be used by an editor', (name) => {
    expect(validatorOf(name)).toBeTypeOf('function');
  });

  it.each([
    'nothing',
    'canary.spec.json',
    '../settings',
    'constructor.schema.json',
    'config_slack.schema.json',
  ])('there is no %s', (file) => expect(schemaFile(file)).toBeNull());

  it.each([
    ['canary.spec', 'canaries/**/*.yaml', 'Canary', 80],
    ['topology.spec', 'topologies/*.y*ml', 'Topology', 9],
    ['scrape_config.spec', 'scrapers/fixtures/*.yaml', 'ScrapeConfig', 30],
  ])('%s accepts every document of the public projects', (name, pattern, kind, least) => {
    const validate = validatorOf(name);
    const specs = specsIn(pattern, kind);
    expect(specs.length).toBeGreaterThanOrEqual(least);
    const refused = specs.flatMap(([file, spec]) =>
      validate(spec) ? [] : [`${file}: ${JSON.stringify(validate.errors?.[0])}`],
    );
    expect(refused).toEqual([]);
  });

  it('playbook-spec tells the valid from the invalid document', () => {
    const validate = validatorOf('playbook-spec');
    const read = (name: string): unknown =>
      JSON.parse(readFileSync(`${FIXTURES}/playbooks/schema/${name}.json`, 'utf8'));
    expect(validate(read('playbook-valid'))).toBe(true);
    expect(validate(read('playbook-invalid'))).toBe(false);
  });

  it.each([
    ['canary.spec', { http: [{ name: 'a', url: 'http://a', treshold: 1 }] }],
    ['canary.spec', { htpp: [] }],
    ['canary.spec', { tcp: [], schedule: 'rubbish' }],
    ['topology.spec', { schedule: 'rubbish' }],
    ['scrape_config.spec', { schedule: 'rubbish' }],
    ['canary.spec', { tcp: [{ name: 'a' }] }],
    ['topology.spec', { components: [{ properties: 'x' }] }],
    ['scrape_config.spec', { sql: [{ connection: 'x' }] }],
    ['config_kubernetes', { namespace: 'x' }],
    ['config_azuredevops', { projects: 'x', pipelines: [] }],
  ])('%s refuses %j', (name, spec) => {
    expect(validatorOf(name)(spec)).toBe(false);
  });
});

describe('the specification of a team', () => {
  const spec = {
    responder_clients: {
      jira: {
        url: 'https://jira.example',
        token: 'secret://jira/token',
        defaults: { summary: '{{incident.title}}' },
        values: { projects: [{ key: 'OPS', name: 'Operations', issueTypes: [{ id: '1', name: 'Bug' }] }] },
        linkUrl: 'https://jira.example/browse/{{external_id}}',
      },
      pager: { anything: true },
    },
  };

  it('takes every kind of client, also one that is not known, and names what is wrong', () => {
    const validate = validatorOf('team.spec');
    expect(validate(spec)).toBe(true);
    expect(validate({ responder_clients: { jira: { linkUrl: 7 } } })).toBe(false);
    expect(validate.errors?.[0]?.instancePath).toBe('/responder_clients/jira/linkUrl');
  });
});
