/** The editor's marks: none on what people have really written, one on each slip. */
import { readFileSync } from 'node:fs';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { schemaFile } from '../../server/app/schemas/schema-files.ts';
import { lintYaml, schemaOf } from '../../src/ui/code/yaml-lint.ts';

const FIXTURES = '../shared/fixtures';
/** Wrong on purpose or by accident, as the fixtures' README says. */
const INVALID = /schedule_invalid|metrics-multiple|metrics-transformed/;

const schema = (name: string) => schemaOf(JSON.parse(schemaFile(`${name}.schema.json`) ?? 'null'));

function specsIn(pattern: string, kind: string): [string, string][] {
  return fastGlob
    .sync(pattern, { cwd: FIXTURES })
    .flatMap((file) =>
      parseAllDocuments(readFileSync(`${FIXTURES}/${file}`, 'utf8')).flatMap((document): [string, string][] =>
        document.get('kind') === kind && !INVALID.test(file) ? [[file, stringify(document.get('spec'))]] : [],
      ),
    );
}

/** A real specification leaves out what the specification of forms asks for (decision 0073). */
const ASKED_ONLY = /^scrapers\/fixtures\/kubernetes_file\.yaml: kubernetesFile\.0\.(type|id): /;

describe('the editor of specifications', () => {
  it.each([
    ['canary.spec', 'canaries/**/*.yaml', 'Canary', 80],
    ['topology.spec', 'topologies/*.y*ml', 'Topology', 9],
    ['config_scraper.spec', 'scrapers/fixtures/*.yaml', 'ScrapeConfig', 30],
  ])('%s marks nothing in a real one', (name, pattern, kind, least) => {
    const specs = specsIn(pattern, kind);
    expect(specs.length).toBeGreaterThanOrEqual(least);
    const validator = schema(name);
    expect(validator).not.toBeNull();
    const marked = specs.flatMap(([file, text]) =>
      lintYaml(text, validator).map(({ message }) => `${file}: ${message}`),
    );
    expect(marked.filter((line) => !ASKED_ONLY.test(line))).toEqual([]);
  });

  it.each([
    ['canary.spec', 'htp:\n  - url: http://a\n', 'htp: is not a field here; did you mean "http"?'],
    ['canary.spec', 'http:\n  - urll: http://a\n', 'http.0.urll: is not a field here; did you mean "url"?'],
    ['canary.spec', 'schedule: rubbish\n', 'schedule: does not have the form that is read here'],
    ['config_scraper.spec', 'htp:\n  - url: http://a\n', 'htp: is not a field here; did you mean "http"?'],
    [
      'config_scraper.spec',
      'http:\n  - urll: http://a\n',
      'http.0.urll: is not a field here; did you mean "url"?',
    ],
    ['topology.spec', 'component: []\n', 'component: is not a field here; did you mean "components"?'],
  ])('%s marks a slip in %j', (name, text, message) => {
    expect(lintYaml(text, schema(name)).map((problem) => problem.message)).toContain(message);
  });
});
