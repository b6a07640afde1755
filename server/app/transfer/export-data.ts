/**
 * Writes the model as a data set: one JSON file a table, a row a line, in the order of the keys, so that two
 * exports can be compared line by line. Rows pass through in pieces and are never all in memory; all files show
 * the same moment. `_meta.json` comes last: a folder without it is unfinished.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { localColumnsOf, TransferRefused, membershipOf, secretColumnsOf } from './data-set.ts';
import { countSecrets, readPieces } from './export-query.ts';
import { isStoredTable, openLines } from './stored-lines.ts';
import { readModel } from './model-query.ts';
import type { ModelTable } from './model-query.ts';

/** An export is as confidential as the database. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

export interface ExportOptions {
  /** Is made; has to be empty if it is there. */
  folder: string;
  withSecrets: boolean;
  /** Opens what the database keeps sealed; an export with secrets needs it. */
  sealer?: Opener;
}

export interface ExportReport {
  tables: { name: string; rows: number }[];
  /** Tables that were left out. */
  left: string[];
  /** Secrets that were written as null: table.column, and how many rows have one. */
  blanked: { column: string; rows: number }[];
}

async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  if ((await readdir(folder)).length > 0) {
    throw new TransferRefused(`${folder} isn't empty; name a folder that is, or a new one`);
  }
}

async function writeTable(
  tx: Queryable,
  table: ModelTable,
  { folder, blank, sealer }: { folder: string; blank: readonly string[]; sealer: Opener | undefined },
): Promise<number> {
  let rows = 0;
  async function* text(): AsyncGenerator<string> {
    yield '[';
    for await (const piece of readPieces(tx, table, blank)) {
      const text = isStoredTable(table.name) ? openLines(table.name, piece.text, sealer) : piece.text;
      yield `${rows === 0 ? '' : ','}\n${text}`;
      rows += piece.rows;
    }
    yield rows === 0 ? ']\n' : '\n]\n';
  }
  await pipeline(
    Readable.from(text()),
    createWriteStream(join(folder, `${table.name}.json`), { mode: PRIVATE_FILE }),
  );
  return rows;
}

async function exportAll(
  tx: Queryable,
  { folder, withSecrets, sealer }: ExportOptions,
): Promise<ExportReport> {
  const report: ExportReport = { tables: [], left: [], blanked: [] };
  for (const table of await readModel(tx)) {
    const membership = membershipOf(table.name);
    if (membership === 'never' || (membership === 'with-secrets' && !withSecrets)) {
      report.left.push(table.name);
      continue;
    }
    const secrets = withSecrets ? [] : secretColumnsOf(table.name);
    const blank = [...secrets, ...localColumnsOf(table.name)];
    report.tables.push({ name: table.name, rows: await writeTable(tx, table, { folder, blank, sealer }) });
    report.blanked.push(...(await countSecrets(tx, table, secrets)));
  }
  return report;
}

/** Writes everything that belongs to a data set; throws TransferRefused where the folder isn't empty. */
export async function exportData(db: Database, options: ExportOptions): Promise<ExportReport> {
  await prepareFolder(options.folder);
  const report = await db.transaction(async (tx) => {
    await tx.run('set transaction isolation level repeatable read, read only');
    return exportAll(tx, options);
  });
  const meta = {
    format: 1,
    with_secrets: options.withSecrets,
    rows: Object.fromEntries(report.tables.map(({ name, rows }) => [name, rows])),
  };
  await writeFile(join(options.folder, '_meta.json'), `${JSON.stringify(meta, null, 1)}\n`, {
    mode: PRIVATE_FILE,
  });
  return report;
}
