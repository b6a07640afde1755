/**
 * Upstream's scrape fixtures through the real parts: read by the file kind, extracted, stored, and judged by their own
 * assertions. What is about owners of relationships has no place in this schema, where a link has none.
 */
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';
import { createPostgresDatabase, forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { createServerGuard } from '../../server/platform/egress/server-guard.ts';
import { readYamlFile } from '../../server/platform/yaml/yaml-file.ts';
import { createScriptEvaluator } from '../../server/platform/expressions/evaluate-script.ts';
import { extractEntry } from '../../server/catalog/scrapers/extract/extract-entry.ts';
import type { Extracted } from '../../server/catalog/scrapers/extract/extract-entry.ts';
import { ingest } from '../../server/catalog/scrapers/ingest/ingest.ts';
import type { Ingested } from '../../server/catalog/scrapers/ingest/ingest.ts';
import { aRun } from '../../server/catalog/scrapers/ingest/testing/scraped.ts';
import { SCRAPER_KINDS } from '../../server/catalog/scrapers/kinds/all-kinds.ts';
import { readScraper, readScraperSpec } from '../../server/catalog/scrapers/specs/scraper-document.ts';
import type { Scraper } from '../../server/catalog/scrapers/specs/scraper-document.ts';
import { startJsonServer } from '../../server/health/testing/json-server.ts';
import { scrapeSetting } from '../../server/catalog/scrapers/testing/scrape-setting.ts';

const ROOT = fileURLToPath(new URL('../../../shared/fixtures/scrapers/', import.meta.url));
/** Nothing is read from outside: the repository that a fixture names must not answer differently where there is a network. */
const guard = createServerGuard({ egressAllow: [], egressDeny: ['github.com'], databaseUrl: null });
const setting = scrapeSetting({ baseFolder: ROOT, guard });
afterAll(() => setting.expressions.close());

const caseSchema = z.object({
  spec: z.unknown(),
  pre_populate: z.object({
    configs: z.array(
      z.object({
        config_class: z.string(),
        type: z.string(),
        name: z.string().optional(),
        external_id: z.array(z.string()),
        config: z.string(),
      }),
    ),
  }),
  assertions: z.array(z.string()),
});

async function extractAll(scraper: Scraper): Promise<Extracted> {
  const [entry] = scraper.entries;
  if (entry === undefined || !entry.read.ok) throw new Error('the entry was refused');
  const kind = SCRAPER_KINDS.get(entry.kind);
  if (kind === undefined) throw new Error(`${entry.kind} is not run`);
  // Its schema has read it.
  const output = await kind.scrape(entry.read.spec as never, setting);
  const { field, read } = entry;
  const { now } = setting;
  return extractEntry(
    output,
    { field, entry: read.base, isFull: scraper.isFull, now: now() },
    setting.expressions,
  );
}

function scopeOf(
  extracted: Extracted,
  stored: Ingested,
  relationships: readonly { relation: string }[],
): Record<string, unknown> {
  const changes = [...extracted.changes, ...extracted.items.flatMap((item) => item.changes)];
  const saved = Object.values(stored.summary).reduce((sum, type) => sum + type.changes.saved, 0);
  return {
    config: extracted.items[0]?.config ?? null,
    changes: changes.map((change) => ({
      change_type: change.changeType,
      external_id: change.about?.externalId,
      config_type: change.about?.type,
      action: change.action,
    })),
    relationships,
    summary: { changes: { ...extracted.counts.changes, saved } },
  };
}

const evaluate = createScriptEvaluator({ now: () => 0, uuid: () => '' });
const OF_OWNERS = ['relationships_multi_scraper_ownership'];
const cases = (await readdir(`${ROOT}extract/e2e`)).map((file) => file.replace('.yaml', ''));

forEachDatabase((_kind, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });

  test.each(cases.filter((name) => !OF_OWNERS.includes(name)))('%s: its assertions hold', async (name) => {
    const fixture = caseSchema.parse(parse(await readFile(`${ROOT}extract/e2e/${name}.yaml`, 'utf8')));
    const read = readScraperSpec({ name, namespace: 'default' }, fixture.spec);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    await db.run('delete from config_relationships');
    await db.run('delete from config_items');
    const run = { ...(await aRun(db, name)), kind: 'file' };
    for (const config of fixture.pre_populate.configs)
      await db.run(
        `insert into config_items (scraper_id, config_class, type, name, external_id, config)
         values ($1, $2, $3, $4, array[$5]::text[], $6::jsonb)`,
        [
          run.scraperId,
          config.config_class,
          config.type,
          config.name ?? null,
          config.external_id[0] ?? '',
          config.config,
        ],
      );
    const extracted = await extractAll(read.scraper);
    const stored = await ingest(db, run, extracted);
    const relationships = await db.rows(
      z.custom<{ relation: string }>(),
      'select relation from config_relationships where deleted_at is null',
    );
    const variables = scopeOf(extracted, stored, relationships);
    // A link has no owner here: what each scraper's own rows are can't be asked.
    const asked = fixture.assertions.filter((expr) => !expr.includes('db.config_relationships'));
    const failed = asked.filter(
      (expr) => evaluate({ expr }, { variables, durationNames: [], lastResult: null }).isTrue !== true,
    );
    expect([...failed, ...stored.errors]).toEqual([]);
  });
});

type FileScraper = ReturnType<typeof readYamlFile<{ ok: true; scraper: Scraper }>>[number];

const problemsOf = (document: FileScraper): string[] =>
  document.ok
    ? document.scraper.entries.flatMap(({ read }) => (read.ok ? [] : read.problems))
    : document.problems.map(({ message }) => message);

describe('the scrape configurations of upstream', () => {
  test('are read to the last field', async () => {
    const files = (await readdir(`${ROOT}fixtures`)).filter((file) => file.endsWith('.yaml'));
    const problems: string[] = [];
    for (const file of files) {
      const text = await readFile(`${ROOT}fixtures/${file}`, 'utf8');
      const found = readYamlFile({ file, text }, readScraper);
      expect([file, found.length]).toEqual([file, 1]);
      problems.push(...found.flatMap(problemsOf));
    }
    expect(problems).toEqual([]);
  });

  test.each([
    ['file-car', ['Car A123'], []],
    ['file-local', ['eu-west-1 eu-west-1'], []],
    ['file-crd-sync', ['MissionControl::Playbook echo-input-name'], []],
    ['file-aws-iam-identity-providers', [expect.stringMatching(/^AWS::IAM::OIDCProvider token/)], []],
    ['file-k8s-rbac-access', ['Kubernetes::Pod Kubernetes/test-cluster/Pod/default/nginx'], []],
    ['cross-scraper-org', ['Organization cross-scraper-org'], []],
    ['file-external-entities-only', [], []],
    ['file', [], ['paths: no file matches config*.json, test*.json']],
    [
      'file-git',
      [],
      [expect.stringMatching(/^url: github\.com\/flanksource\/canary-checker: .*github\.com/)],
    ],
  ])('%s runs, or says by field why not', async (file, items, reasons) => {
    const text = await readFile(`${ROOT}fixtures/${file}.yaml`, 'utf8');
    const [document] = readYamlFile({ file, text }, readScraper);
    if (document?.ok !== true) throw new Error('refused');
    const refused: string[] = [];
    const extracted = await extractAll(document.scraper).catch((error: unknown) => {
      refused.push(error instanceof Error ? error.message : String(error));
      return null;
    });
    expect(extracted?.items.map((item) => `${item.type} ${item.name}`) ?? []).toEqual(items);
    expect([...refused, ...(extracted?.errors ?? [])]).toEqual(reasons);
  });
});

const loopback = z
  .object({
    scrapers: z.object({
      http: z.array(z.object({ file: z.string(), replace: z.array(z.tuple([z.string(), z.string()])) })),
      sql: z.array(z.object({ file: z.string() })),
    }),
  })
  .parse(JSON.parse(await readFile(`${ROOT}../loopback.json`, 'utf8'))).scrapers;
const localFiles = (await readdir(`${ROOT}fixtures`)).filter(
  (file) => /^file-.*\.yaml$/.test(file) && file !== 'file-git.yaml',
);

function readOne(file: string, text: string): Scraper {
  const [document] = readYamlFile({ file, text }, readScraper);
  if (document?.ok !== true) throw new Error(`${file} was refused`);
  return document.scraper;
}

describe('what loopback.json notes of scrapers', () => {
  test.each(localFiles)('%s is read without a word of complaint', async (file) => {
    const extracted = await extractAll(readOne(file, await readFile(`${ROOT}fixtures/${file}`, 'utf8')));
    expect(extracted.errors).toEqual([]);
    const isOfOthersOnly = file === 'file-external-entities-only.yaml';
    expect(extracted.items.length > 0).toBe(!isOfOthersOnly);
  });

  test.each(loopback.http)('$file: only ids up to 10 are kept', async ({ file, replace }) => {
    const todo = (id: number) => ({ userId: 1, id, title: `task ${id}`, completed: false });
    const all = Array.from({ length: 25 }, (_, at) => todo(at + 1));
    const server = await startJsonServer(({ url }) => (url.pathname === '/todos' ? { body: all } : null));
    let text = await readFile(`${ROOT}../${file}`, 'utf8');
    for (const [from, to] of replace)
      text = text.replaceAll(from, to.replace('${TODO_PORT}', String(server.port)));
    const extracted = await extractAll(readOne(file, text));
    server.stop();
    expect(extracted.errors).toEqual([]);
    expect(extracted.items.map(({ name }) => name)).toEqual(all.slice(0, 10).map(({ title }) => title));
  });

  test.each(loopback.sql)('$file: a real PostgreSQL is one item', async ({ file }) => {
    const url = await createPostgresDatabase();
    const text = await readFile(`${ROOT}../${file}`, 'utf8');
    const extracted = await extractAll(
      readOne(file, text.replace(/postgresql:\/\/postgres:postgres@\S+(?=\n {6}type)/, url)),
    );
    expect(extracted.errors).toEqual([]);
    expect(extracted.items).toMatchObject([
      { type: 'Postgres::Database', config: { version: expect.stringContaining('PostgreSQL') } },
    ]);
  });
});
