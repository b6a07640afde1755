/**
 * How long the most used queries take over HTTP at 50,000 config items with 300,000 links and 50,000 changes, and
 * 200,000 check results, signed in, on PGlite and on PostgreSQL; with the indexes that the database's own plan names (design §8).
 */
import { z } from 'zod';
import type { Database, Queryable, Transactions } from '../../server/platform/db/database.ts';
import { seedDatabase } from '../../server/app/seed/seed-query.ts';
import { PASSWORD, startTestServer } from '../../tests/security/support/test-server.ts';
import { openTestBrowser } from '../../tests/security/support/test-browser.ts';
import type { TestBrowser } from '../../tests/security/support/test-browser.ts';
import { withDatabase } from './bench-database.ts';
import { queriesFor } from './data-api-queries.ts';
import type { BenchQuery } from './data-api-queries.ts';
import { addBenchRows, largestType, pickIds } from './data-api-rows-query.ts';
import type { Bench } from '../core/bench.ts';
import { percentile } from '../percentile.ts';
import type { LineKey } from '../lines.ts';

const SIZE = {
  checks: 1_000,
  statuses: 200_000,
  configs: 50_000,
  components: 500,
  incidents: 200,
  changes: 50_000,
  relationships: 300_000,
  jobs: 10_000,
  seed: 1,
};
const WARM_UP = 5;
const ROUNDS = 60;
const WEEK_MS = 7 * 86_400_000;

interface Statement {
  sql: string;
  params: Parameters<Queryable['text']>[1];
}

/** A database that notes the statements which run through it, also those of callers. */
function noting(db: Database, statements: Statement[]): Database {
  const wrap = (own: Queryable): Queryable => ({
    rows(row, sql, params) {
      statements.push({ sql, params });
      return own.rows(row, sql, params);
    },
    text(sql, params) {
      statements.push({ sql, params });
      return own.text(sql, params);
    },
    run: (sql, params) => own.run(sql, params),
    script: (sql) => own.script(sql),
  });
  const transactions = (own: Transactions): Transactions => ({
    ...own,
    ...wrap(own),
    transaction: (work) => own.transaction((tx) => work(wrap(tx))),
  });
  return { ...db, ...transactions(db), asCaller: (caller) => transactions(db.asCaller(caller)) };
}

function indexesIn(plan: unknown): string[] {
  if (Array.isArray(plan)) return plan.flatMap(indexesIn);
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([name, value]: [string, unknown]) => {
    return name === 'Index Name' && typeof value === 'string' ? [value] : indexesIn(value);
  });
}

const plans = z.tuple([z.looseObject({ 'Execution Time': z.number() })]);

/** How long the database needs for the statement by itself, and the indexes of its plan. */
async function explain(db: Database, statements: readonly Statement[], query: BenchQuery): Promise<string> {
  const table = /^(?:rpc\/)?(\w+)/.exec(query.path)?.[1];
  const mark = table === undefined ? 'config_changes' : `"${table}"`;
  const statement = statements.findLast(({ sql }) => sql.includes(mark));
  if (statement === undefined) return '– | no statement was seen';
  const text = await db.text(`explain (analyze, timing off, format json) ${statement.sql}`, statement.params);
  const plan = plans.parse(JSON.parse(text ?? '[]'));
  const names = new Set(indexesIn(plan));
  const none = query.path.startsWith('rpc/') ? 'inside the function' : 'none';
  return `${plan[0]['Execution Time'].toFixed(1)} | ${names.size > 0 ? [...names].join(', ') : none}`;
}

async function timeQuery(browser: TestBrowser, query: BenchQuery): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const startedAt = performance.now();
    const url = query.path.startsWith('/') ? query.path : `/api/db/${query.path}`;
    const answer =
      query.body === undefined
        ? await browser.get(url, query.isCounted === true ? { prefer: 'count=exact' } : {})
        : await browser.post(url, query.body);
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${query.name}: ${answer.status} ${body}`);
    if (round >= WARM_UP) times.push(performance.now() - startedAt);
  }
  return times;
}

/** Prints a line a query; the line of the benchmark has the samples of the slowest. */
async function measureOn(db: Database, bench: Bench, line: LineKey): Promise<void> {
  const statements: Statement[] = [];
  const server = await startTestServer(noting(db, statements));
  try {
    const { email } = await server.account('admin');
    const browser = openTestBrowser(server.url);
    await browser.signIn(email, PASSWORD);
    const ids = {
      ...(await pickIds(db)),
      type: await largestType(db),
      sinceIso: new Date(Date.now() - WEEK_MS).toISOString(),
    };
    await bench.measure([line], 1, async () => {
      console.log(
        `\n| data API on ${db.kind} | p50 ms | p95 ms | statement ms | indexes |\n|---|---|---|---|---|`,
      );
      let slowest: number[] = [];
      for (const query of queriesFor(ids)) {
        statements.length = 0;
        const times = await timeQuery(browser, query);
        const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
        if (slowest.length === 0 || p95 > percentile(slowest, 0.95)) {
          slowest = times;
          bench.note(line, query.name);
        }
        const indexes = await explain(db, statements, query);
        console.log(`| ${query.name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${indexes} |`);
      }
      return { [line]: slowest };
    });
  } finally {
    await server.stop();
  }
}

async function measureKind(bench: Bench, kind: Database['kind'], line: LineKey): Promise<void> {
  await withDatabase(kind, async (db) => {
    await seedDatabase(db, { ...SIZE, nowMs: Date.now() });
    await addBenchRows(db);
    await measureOn(db, bench, line);
  });
}

/** Measures it on PGlite. */
export async function measureOnPglite(bench: Bench): Promise<void> {
  await measureKind(bench, 'pglite', 'data api pglite');
}

/** Measures it on PostgreSQL. */
export async function measureOnPostgres(bench: Bench): Promise<void> {
  await measureKind(bench, 'postgres', 'data api postgres');
}
