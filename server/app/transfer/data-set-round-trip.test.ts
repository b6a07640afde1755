/** The public data set comes in without anything left out, and goes out with every value that it brought. */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isRecord } from '../../../src/lib/is-record.ts';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { exportData } from './export-data.ts';
import { importData } from './import-data.ts';

const DATA_SET = new URL('../../../../shared/fixtures/dataset/', import.meta.url).pathname;
type Row = Record<string, unknown>;

async function rowsOf(folder: string, table: string): Promise<Row[]> {
  const text = await readFile(join(folder, `${table}.json`), 'utf8');
  return z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(text));
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** The same value, however it is written: moments by their time, severities in any case. */
function plain(column: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (column === 'severity') return value.toLowerCase();
  return TIME.test(value) ? new Date(value).toISOString() : value;
}

/** The value as it came out; `***` stands for a secret that is kept apart (docs/data.md). */
function opened(before: unknown, after: unknown): unknown {
  if (after === '***') return before;
  if (Array.isArray(after) && Array.isArray(before))
    return after.map((entry: unknown, at) => opened(before[at], entry));
  if (!isRecord(after) || !isRecord(before)) return after;
  return Object.fromEntries(Object.entries(after).map(([key, entry]) => [key, opened(before[key], entry)]));
}

/** What names a row: its key, or all of a link. */
function nameOf(row: Row): string {
  const { id, config_id, related_id, relation, component_id, relationship_id, check_id, time, location } =
    row;
  const link = [config_id, related_id, relation, component_id, relationship_id, check_id].map(
    (part) => part ?? '',
  );
  return JSON.stringify([id ?? '', location ?? '', ...link, plain('time', time) ?? '']);
}

/** The path of a config item is derived, and ends with its parent (schema §1.2); the set's ends with the item. */
function withDerivedPath(row: Row): Row {
  const { path, config_class: itemClass } = row;
  if (itemClass === undefined || typeof path !== 'string') return row;
  const above = path.split('.').filter((part) => part !== row['id']);
  return { ...row, path: above.join('.') };
}

/** Values of the set that did not come out, in words. */
function lostOf(brought: readonly Row[], kept: readonly Row[]): string[] {
  const byName = new Map(kept.map((row) => [nameOf(row), row]));
  return brought.flatMap((row) => {
    const name = nameOf(row);
    const found = byName.get(name);
    if (found === undefined) return [`row ${name}`];
    return Object.entries(withDerivedPath(row)).flatMap(([column, value]) => {
      if (value === null || value === undefined) return [];
      const [before, after] = [plain(column, value), plain(column, found[column])];
      return isDeepStrictEqual(before, opened(before, after))
        ? []
        : [`${column} of ${name}: ${JSON.stringify(before)} is ${JSON.stringify(after)}`];
    });
  });
}

forEachDatabase((_name, open) => {
  let db: Database;
  let folder: string;

  beforeAll(async () => {
    db = await open();
    folder = await mkdtemp(join(tmpdir(), 'holdfast-data-set-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  describe('the public data set', () => {
    test('is taken whole: no table and no column is left out', async () => {
      const { skipped } = await importData(db, { folder: DATA_SET, skipUnknown: false });
      expect(skipped).toEqual([]);
    });

    test('goes out with every value that it brought', async () => {
      const out = join(folder, 'out');
      await exportData(db, { folder: out, withSecrets: true });
      const tables = (await readdir(DATA_SET)).filter((file) => /^[a-z].*\.json$/.test(file));
      expect(tables.length).toBeGreaterThan(25);
      for (const table of tables.map((file) => file.replace('.json', ''))) {
        const [brought, kept] = await Promise.all([rowsOf(DATA_SET, table), rowsOf(out, table)]);
        expect(lostOf(brought, kept), table).toEqual([]);
      }
    });

    test('has its severities in small letters, as everybody reads them', async () => {
      for (const table of ['incidents', 'config_changes', 'config_analysis'])
        expect(
          await db.rows(z.unknown(), `select severity from ${table} where severity <> lower(severity)`),
          table,
        ).toEqual([]);
    });
  });

  test('a change or a finding that is written with a capital severity is stored in small letters', async () => {
    const [item] = await db.rows(z.custom<{ id: string }>(), 'select id from config_items limit 1');
    const [change] = await db.rows(
      z.unknown(),
      `insert into config_changes (config_id, change_type, severity) values ($1, 'X', 'Critical') returning severity`,
      [item?.id ?? ''],
    );
    const [finding] = await db.rows(
      z.unknown(),
      `insert into config_analysis (config_id, analyzer, severity) values ($1, 'x', 'High') returning severity`,
      [item?.id ?? ''],
    );
    expect([change, finding]).toEqual([{ severity: 'critical' }, { severity: 'high' }]);
  });
});
