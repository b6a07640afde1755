/** The database has every table and column of the data dictionary, and everything that the data set has. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from './database.ts';
import { forEachDatabase } from './test-databases.ts';
import { readModel } from '../../app/transfer/model-query.ts';
import type { ModelTable } from '../../app/transfer/model-query.ts';

const DICTIONARY = '../shared/schema.md';
const DATA_SET = '../shared/fixtures/dataset';

/** What the dictionary writes short: `+CU` and its like are these columns. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  '+CU': ['created_at TS!', 'updated_at TS!'],
  '+D': ['deleted_at TS'],
  '+by': ['created_by U'],
  '+by!': ['created_by U!'],
  '+A': ['agent_id U!'],
  '+P': ['is_pushed B!'],
};

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^int2\[\]/, 'smallint[]'],
  [/^smallint/, 'smallint'],
  [/^T\[\]/, 'text[]'],
  [/^TS/, 'timestamp with time zone'],
  [/^varchar\((\d+)\)/, 'character varying($1)'],
  [/^serial8/, 'bigint'],
  [/^I8/, 'bigint'],
  [/^source!?$/, 'source'],
  [/^U/, 'uuid'],
  [/^T/, 'text'],
  [/^J/, 'jsonb'],
  [/^B/, 'boolean'],
  [/^I/, 'integer'],
  [/^N/, 'numeric(16,4)'],
];

interface Column {
  table: string;
  name: string;
  type: string;
  isNotNull: boolean;
}

function typeOf(text: string): string {
  for (const [pattern, type] of TYPES) {
    const found = pattern.exec(text);
    if (found !== null) return type.replace('$1', found[1] ?? '');
  }
  throw new Error(`no type is written as ${text}`);
}

/** `name,namespace T! =now()` as columns. */
function columnsOf(table: string, group: string): Column[] {
  if (group.startsWith('id*')) return [{ table, name: 'id', type: 'uuid', isNotNull: true }];
  const [names = '', type = ''] = group.trim().split(/\s+/);
  return names.split(',').map((name) => ({
    table,
    name,
    type: typeOf(type),
    isNotNull: type.includes('!'),
  }));
}

/** Every column of section 1; the views come after it. */
function readDictionary(): Column[] {
  const text = readFileSync(DICTIONARY, 'utf8');
  const tables = text.slice(text.indexOf('## 1. Tables'), text.indexOf('### 1.6'));
  return [...tables.matchAll(/^- \*\*(\w+)\*\*: (.*)$/gm)].flatMap(([, table = '', body = '']) => {
    const [list = ''] = body.split(/\.(?:\s|$)/);
    const shorts = [...list.matchAll(/ (\+\w+!?)/g)].flatMap(([, short = '']) => SHORT[short] ?? []);
    const groups = list.replaceAll(/ \+\w+!?/g, '').split(';');
    return [...groups, ...shorts].flatMap((group) => columnsOf(table, group.trim()));
  });
}

forEachDatabase((_name, open) => {
  let db: Database;
  let model: Map<string, ModelTable>;
  beforeAll(async () => {
    db = await open();
    model = new Map((await readModel(db)).map((table) => [table.name, table]));
  });

  describe('the data dictionary', () => {
    const dictionary = readDictionary();

    test('is read: tables by the dozen, columns by the hundred', () => {
      expect(new Set(dictionary.map(({ table }) => table)).size).toBeGreaterThan(45);
      expect(dictionary.length).toBeGreaterThan(450);
    });

    test('has no table, column or type that the database lacks', () => {
      const lacking = dictionary.flatMap(({ table, name, type }) => {
        const found = model.get(table)?.columns.find((column) => column.name === name);
        if (found?.type === type) return [];
        return [`${table}.${name} ${type}${found === undefined ? '' : `, not ${found.type}`}`];
      });
      expect(lacking).toEqual([]);
    });
  });

  describe('the data set', () => {
    const files = readdirSync(DATA_SET).filter((file) => /^[a-z].*\.json$/.test(file));

    test.each(files)('%s has no column that the database lacks', (file) => {
      const rows = z
        .array(z.record(z.string(), z.unknown()))
        .parse(JSON.parse(readFileSync(join(DATA_SET, file), 'utf8')));
      const columns = new Set(model.get(file.replace('.json', ''))?.columns.map(({ name }) => name));
      const named = new Set(rows.flatMap((row) => Object.keys(row)));
      expect([...named].filter((name) => !columns.has(name))).toEqual([]);
    });
  });
});
