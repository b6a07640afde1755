/**
 * Takes in a data set: a folder with one JSON file a table. All of it in one transaction, or nothing; what can't
 * be taken is told with table, row, column and reason, up to fifty at once.
 */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { refreshSummaries } from '../../health/results/result-query.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import {
  advanceCounters,
  derivePaths,
  noteOwnStates,
  hideSecrets,
  lowerSeverities,
  refreshStoredViews,
} from './derived-data-query.ts';
import { TransferRefused, isReplacedWhole, membershipOf } from './data-set.ts';
import { BrokenFileError, decodeUtf8, readJsonRows } from './json-rows.ts';
import type { JsonRow } from './json-rows.ts';
import { checkAssigned } from './assigned-query.ts';
import { clearTable } from './clear-query.ts';
import { readModel } from './model-query.ts';
import type { ModelTable } from './model-query.ts';
import { playbooksToMend } from './playbooks-query.ts';
import { createProblems } from './problems.ts';
import type { Problems } from './problems.ts';
import { awaken, quieten } from './quiet-query.ts';
import { checkReferences } from './references-query.ts';
import { checkRow } from './row-check.ts';
import { nameOfRow, partBuiltIns, writeBuiltIns, writeRows } from './row-writer-query.ts';

/** Rows a statement: large enough to be fast, small enough for a worker's message. */
const BATCH_ROWS = 2_000;
const BATCH_CHARACTERS = 4_000_000;

export interface ImportOptions {
  folder: string;
  /** Leaves out tables and columns that the model lacks, instead of refusing. */
  skipUnknown: boolean;
}

export interface ImportReport {
  tables: { name: string; rows: number }[];
  /** Tables and columns that were left out, and what came in but can't be used as it is, in words. */
  skipped: string[];
}

interface Import {
  tx: Queryable;
  tables: readonly ModelTable[];
  problems: Problems;
  skipped: string[];
  folder: string;
}

/** Names of the tables in a folder. Files whose name begins with an underscore describe the set. */
async function listFiles(folder: string): Promise<string[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    throw new TransferRefused(`${folder} can't be read; a folder with one JSON file a table is needed`, {
      cause: error,
    });
  }
  const tables = names
    .filter((name) => name.endsWith('.json') && !name.startsWith('_'))
    .map((name) => name.slice(0, -'.json'.length));
  if (tables.length === 0)
    throw new TransferRefused(`${folder} holds no .json file, so there is nothing to import`);
  return tables.toSorted();
}

/** The rows of a file; a file that is none of rows becomes a problem. */
async function* readTable(
  { folder, problems }: Import,
  table: string,
): AsyncGenerator<JsonRow, void, undefined> {
  const bytes: AsyncIterable<Buffer> = createReadStream(join(folder, `${table}.json`));
  try {
    yield* readJsonRows(decodeUtf8(bytes));
  } catch (error) {
    if (!(error instanceof BrokenFileError)) throw error;
    problems.add({
      table,
      row: null,
      id: null,
      column: null,
      reason: `line ${error.line}: ${error.message}`,
    });
  }
}

async function countUnknown(work: Import, table: string): Promise<void> {
  let rows = 0;
  for await (const row of readTable(work, table)) rows = row.number;
  const isKnown = work.tables.some(({ name }) => name === table);
  const why = isKnown ? 'is never part of a data set' : "isn't in the model";
  work.skipped.push(`table ${table} (${rows} rows) ${why}`);
}

/** Whether a row may go to the database. */
function isTakable({ problems }: Import, table: ModelTable, row: JsonRow): boolean {
  const about = { table: table.name, row: row.number };
  if (row.value === null) {
    problems.add({ ...about, id: null, column: null, reason: `line ${row.line}: ${row.problem ?? ''}` });
    return false;
  }
  const found = checkRow(table, row.value, row.text);
  const id = nameOfRow(table, row.value);
  for (const problem of found) problems.add({ ...about, id, ...problem });
  return found.length === 0;
}

async function writeBatch(work: Import, table: ModelTable, rows: readonly JsonRow[]): Promise<void> {
  const { tx, problems, tables } = work;
  const { builtIns, others } = partBuiltIns(table, rows);
  if (builtIns.length > 0) await writeBuiltIns(tx, table, { rows: builtIns, problems, tables });
  await writeRows(tx, table, { rows: others, problems });
}

function noteUnknownColumns(work: Import, table: string, unknown: ReadonlyMap<string, number>): void {
  for (const [column, rows] of unknown) {
    work.skipped.push(`column ${table}.${column} (in ${rows} rows) isn't in the model`);
  }
}

/** Reads, checks and writes one table; answers how many rows its file has. */
async function importTable(work: Import, table: ModelTable): Promise<number> {
  const columns = new Set(table.columns.map(({ name }) => name));
  const unknown = new Map<string, number>();
  let batch: JsonRow[] = [];
  let characters = 0;
  let rows = 0;
  if (isReplacedWhole(table.name)) await clearTable(work.tx, table.name);
  for await (const row of readTable(work, table.name)) {
    rows += 1;
    if (work.problems.isFull() || !isTakable(work, table, row)) continue;
    for (const name of Object.keys(row.value ?? {})) {
      if (!columns.has(name)) unknown.set(name, (unknown.get(name) ?? 0) + 1);
    }
    batch.push(row);
    characters += row.text.length;
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    await writeBatch(work, table, batch);
    batch = [];
    characters = 0;
  }
  await writeBatch(work, table, batch);
  noteUnknownColumns(work, table.name, unknown);
  return rows;
}

function refuseUnknown({ skipped }: Import): void {
  if (skipped.length === 0) return;
  const lines = skipped.map((line) => `  ${line}`);
  throw new TransferRefused(
    ['Nothing was imported. With --skip-unknown these would be left out:', ...lines].join('\n'),
  );
}

async function importAll(
  work: Import,
  files: readonly string[],
  skipUnknown: boolean,
): Promise<ImportReport> {
  const { tx, tables, problems } = work;
  const report: ImportReport = { tables: [], skipped: work.skipped };
  await quieten(tx, tables);
  for (const file of files) {
    const table = tables.find(({ name }) => name === file);
    if (table === undefined || membershipOf(file) === 'never') await countUnknown(work, file);
    else report.tables.push({ name: file, rows: await importTable(work, table) });
  }
  await checkReferences(
    tx,
    tables.filter(({ name }) => files.includes(name)),
    problems,
  );
  await checkAssigned(tx, problems);
  problems.refuseIfAny();
  if (!skipUnknown) refuseUnknown(work);
  await lowerSeverities(tx);
  await advanceCounters(tx);
  await derivePaths(tx);
  await noteOwnStates(tx);
  if (!files.includes('check_status_summary')) await refreshSummaries(tx);
  await refreshStoredViews(tx);
  await awaken(tx, tables);
  await hideSecrets(tx);
  if (files.includes('playbooks')) report.skipped.push(...(await playbooksToMend(tx)));
  return report;
}

/** Imports a folder into a migrated database; throws TransferRefused, and nothing is written, when it can't. */
export async function importData(
  db: Database,
  { folder, skipUnknown }: ImportOptions,
): Promise<ImportReport> {
  const files = await listFiles(folder);
  const report = await db.transaction(async (tx) => {
    const tables = await readModel(tx);
    const work = { tx, tables, problems: createProblems(), skipped: [], folder };
    return importAll(work, files, skipUnknown);
  });
  // Nothing gathers statistics by itself on PGlite, and without them large joins are planned badly.
  await db.script('analyze');
  return report;
}
