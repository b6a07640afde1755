/** The table of the kinds of scrapers is made from the registry, with how many of the recorded ones run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { expect, test } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { SCRAPER_EXAMPLES } from '../../../../src/domain/settings/scraper-examples.ts';
import { readScraper } from '../specs/scraper-document.ts';
import { SCRAPER_KINDS } from './all-kinds.ts';
import { SCRAPER_FACTS } from './kind-facts.ts';
import { REFUSED_REASONS } from './refused-kinds.ts';

const FOLDER = '../shared/fixtures/scrapers/fixtures';
const running = [...SCRAPER_KINDS.keys()].filter((key) => REFUSED_REASONS[key] === undefined);

test('every kind that runs has its facts, a form and an example', () => {
  expect(Object.keys(SCRAPER_FACTS).toSorted()).toEqual(running.toSorted());
  expect(Object.keys(SCRAPER_EXAMPLES).toSorted()).toEqual(running.toSorted());
});

test('what is probably mistyped, and what does nothing here, is told in each run', () => {
  const spec = {
    logLevel: 'debug',
    crdSync: true,
    kubernetes: [{ clusterName: 'c', useCache: true, allowIncomplete: false, namespce: 'shop' }],
    azure: [{ subscriptionID: 's', organisation: 'o' }],
    trivy: [{ version: '0.50' }],
  };
  const read = readScraper({ kind: 'ScrapeConfig', metadata: { name: 'a' }, spec }, 'a.yaml');
  expect(read?.ok === true ? read.scraper.notes.map((note) => note.split(';')[0]) : []).toEqual([
    'kubernetes[0].namespce: is not a field of this kind',
    'crdSync: documents become items only',
    'logLevel: has no effect',
    'kubernetes[0].useCache: has no effect',
    'azure[0].organisation: has no effect',
    'trivy[0].version: has no effect',
  ]);
});

/** Entries of the recorded scrapers by kind: how many there are, and how many can be run. */
function figures(): Map<string, { all: number; runs: number }> {
  const found = new Map<string, { all: number; runs: number }>();
  for (const file of fastGlob.globSync('*.yaml', { cwd: FOLDER }).toSorted()) {
    const documents = [...parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8'))];
    for (const document of documents) {
      const read = readScraper(document.toJS(), file);
      for (const entry of read?.ok === true ? read.scraper.entries : []) {
        const { all, runs } = found.get(entry.kind) ?? { all: 0, runs: 0 };
        const isRun = entry.read.ok && running.includes(entry.kind);
        found.set(entry.kind, { all: all + 1, runs: runs + (isRun ? 1 : 0) });
      }
    }
  }
  return found;
}

/** Entries that could be run at 16e66ab6, before these kinds: counted by the server of that time. */
const BEFORE: Readonly<Record<string, number>> = {
  kubernetes: 1,
  kubernetesFile: 1,
  aws: 1,
  azureDevops: 1,
  githubActions: 1,
  http: 3,
  sql: 1,
  trivy: 1,
  // Those of a repository were refused in each run.
  file: 17,
};

function table(): string {
  const found = figures();
  const sum = (of: 'all' | 'runs') => [...found.values()].reduce((total, one) => total + one[of], 0);
  const figure = (key: string) => {
    const one = found.get(key);
    return one === undefined ? '– | –' : `${BEFORE[key] ?? 0} | ${one.runs} of ${one.all}`;
  };
  const rows = Object.entries(SCRAPER_FACTS).map(
    ([key, { needs, testedAgainst }]) =>
      `| \`${key}\` | ${SCRAPER_EXAMPLES[key]?.title ?? ''} | yes | ${needs} | yes | [yes](#${key.toLowerCase()}) | ${testedAgainst} | ${figure(key)} |`,
  );
  const refused = Object.entries(REFUSED_REASONS).map(
    ([key, reason]) => `| \`${key}\` | | no | ${reason} | | | | ${figure(key)} |`,
  );
  const examples = Object.keys(SCRAPER_FACTS).map((key) => {
    const text = stringify({ [key]: [SCRAPER_EXAMPLES[key]?.example] }, { lineWidth: 110 });
    return `### ${key}\n\n\`\`\`yaml\n${text}\`\`\`\n`;
  });
  return `# Kinds of scrapers

Made from the registry (\`server/catalog/scrapers/kinds/all-kinds.ts\`) by its test; \`npx vitest run
server/catalog/scrapers/kinds/kind-facts.test.ts --update\` writes it anew. What each reads: [scrapers.md](scrapers.md),
[scrapers-services.md](scrapers-services.md). "Real client" is the service's usual client library over a server of the test; a
stand-in answers as the service's published interface says. The last columns count the entries of our fixtures that this server
can run: ${Object.values(BEFORE).reduce((total, one) => total + one, 0)} before the kinds that came with the registry of checks (16e66ab6), ${sum('runs')} of ${sum('all')} now.

| key | kind | runs here | needs | form | example | tested against | before | fixtures |
|---|---|---|---|---|---|---|---|---|
${[...rows, ...refused].join('\n')}

## Examples

${examples.join('\n')}`;
}

test('docs have the kinds as the registry has them', async () => {
  await expect(table()).toMatchFileSnapshot('../../../../docs/scrapers-kinds.md');
});
