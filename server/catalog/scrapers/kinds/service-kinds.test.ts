/** Every kind of the recorded scrapers of the fixtures is run here, or refused with the reason. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { isRecord } from '../../../../src/lib/is-record.ts';
import { objectAt } from '../health/health.ts';
import { scrapeSetting } from '../testing/scrape-setting.ts';
import { SCRAPER_KINDS } from './all-kinds.ts';
import { REFUSED_KINDS } from './refused-kinds.ts';

const FOLDER = '../shared/fixtures/scrapers/fixtures';
const SETTINGS = new Set(['schedule', 'retention', 'full', 'crdSync', 'logLevel']);
const context = scrapeSetting();
afterAll(() => context.expressions.close());

function kindsOf(file: string): string[] {
  const documents = parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8'));
  const specs = [...documents].map((document) => objectAt(document.toJSON(), 'spec'));
  return specs.flatMap((spec) => Object.keys(spec)).filter((key) => !SETTINGS.has(key));
}

test('every kind that the recorded scrapers name is known', () => {
  const files = fastGlob.globSync('*.yaml', { cwd: FOLDER });
  expect(files.length).toBeGreaterThan(25);
  const named = new Set(files.flatMap(kindsOf));
  expect([...named].filter((kind) => !SCRAPER_KINDS.has(kind))).toEqual([]);
});

test('a refused kind says why and what to use instead', async () => {
  for (const { kind, scrape } of REFUSED_KINDS) {
    const error: unknown = await scrape({}, context).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'invalid' });
    expect(isRecord(error) && String(error['message'])).toMatch(/^kind: .+; /);
    expect(SCRAPER_KINDS.get(kind)?.kind).toBe(kind);
  }
});
