/** Which database a server opens where nothing is set, and how what PGlite kept gets into PostgreSQL. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { preparedDatabases } from '../../../tests/prepared-databases.ts';
import { seedDatabase } from '../../app/seed/seed-query.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { openPgliteDatabase } from './pglite-database.ts';

vi.setConfig({ testTimeout: 240_000 });

const OPEN_MODULE = new URL('./open-database.ts', import.meta.url).href;
const silent = pino({ level: 'silent' });
const missing = () => ({ postgres: '/none/postgres', initdb: '/none/initdb' });

let dataDir: string;
const open: Database[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-move-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await closeAll();
  await rm(dataDir, { recursive: true, force: true });
});

async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((database) => database.close()));
}

/** Opens as the server does; answers what it said, too. */
async function opened(databaseUrl?: string, binaries?: typeof missing) {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const database = await openDatabase({
    databaseUrl,
    dataDir,
    logger,
    ...(binaries === undefined ? {} : { binaries }),
  });
  open.push(database);
  return { database, said: lines.join('') };
}

/** A data folder as an earlier version left it: PGlite, with rows of all kinds. */
async function writePgliteFolder(checks: number): Promise<void> {
  cpSync((await preparedDatabases()).pgliteData, dataDir, { recursive: true });
  const db = await openPgliteDatabase({ folder: join(dataDir, 'pglite'), logger: silent });
  await migrate(db, silent);
  const none = { components: 5, incidents: 5, changes: 50, jobs: 5, relationships: 20, insights: 5 };
  await seedDatabase(db, { checks, configs: 40, seed: 7, nowMs: 1_700_000_000_000, ...none });
  await db.run(`insert into teams (name, spec, created_by)
    select E'quotes " ''and\\\\ (parens), {}', '{"a": null, "b": [1e2, "\\\\u00e9,\\""]}', id from people limit 1`);
  await db.run(`insert into config_items (config_class, type, external_id, cost_total_1d)
    values ('', 'e', array['', 'NULL', 'x y', E'a\\nb'], 0.1)`);
  await db.close();
}

/** All rows of all tables as texts. */
async function contentsOf(db: Database): Promise<Map<string, string>> {
  const tables = await db.rows(
    z.strictObject({ name: z.string() }),
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
     order by relname collate "C"`,
  );
  const contents = new Map<string, string>();
  for (const { name } of tables) {
    const columns = name === 'schema_migrations' ? 'name' : 'shown_row::text';
    const sql = `select coalesce(string_agg(line, E'\\n' order by line collate "C"), '')
      from (select ${columns} as line from ${name} as shown_row) as lines`;
    contents.set(name, (await db.text(sql)) ?? '');
  }
  contents.set(
    'sequences',
    (await db.text(`select json_agg(json_build_array(sequencename, last_value) order by sequencename collate "C")::text
      from pg_sequences where schemaname = 'public'`)) ?? '',
  );
  return contents;
}

async function contentsOfKept(): Promise<Map<string, string>> {
  const kept = await openPgliteDatabase({ folder: join(dataDir, 'pglite.moved'), logger: silent });
  try {
    return await contentsOf(kept);
  } finally {
    await kept.close();
  }
}

/** Tells whether any file in it was written. */
function digestOf(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted())
    hash.update(relative(folder, path)).update(readFileSync(path));
  return hash.digest('hex');
}

describe('where nothing is set', () => {
  test('PostgreSQL runs in the data folder, and a line says so', async () => {
    // What other databases of the machine ask for; its socket knows no TLS.
    vi.stubEnv('PGSSLMODE', 'require');
    const { database, said } = await opened();
    expect(database.kind).toBe('postgres');
    expect(said.match(/data is kept by PostgreSQL/g)).toHaveLength(1);
    expect(readdirSync(dataDir)).not.toContain('pglite');
  });

  test('PGlite serves where PostgreSQL does not run, with the reason; when it runs, the data is moved', async () => {
    const first = await opened(undefined, missing);
    expect(first.database.kind).toBe('pglite');
    expect(first.said).toMatch(
      /PostgreSQL does not run here.*none\/postgres|none\/postgres.*PostgreSQL does not run/,
    );
    expect(first.said.match(/data is kept by PGlite/g)).toHaveLength(1);
    await closeAll();
    // As it is once our tables are made, which takes PGlite half a minute.
    await rm(join(dataDir, 'pglite'), { recursive: true });
    cpSync((await preparedDatabases()).pgliteData, dataDir, { recursive: true });
    const used = await opened(undefined, missing);
    await used.database.run("insert into people (name) values ('Ann')");
    await closeAll();
    const { database } = await opened();
    expect(database.kind).toBe('postgres');
    expect(await database.text("select count(*)::text from people where name = 'Ann'")).toBe('1');
  });

  test('data that PostgreSQL keeps is never passed over for an empty PGlite', async () => {
    await opened();
    await closeAll();
    await expect(opened(undefined, missing)).rejects.toThrow(
      /The data is in .*postgres, and PostgreSQL does not/,
    );
    expect(existsSync(join(dataDir, 'pglite'))).toBe(false);
  });

  test('of two databases that both hold data, the one that was used is used', async () => {
    await opened('embedded');
    await closeAll();
    cpSync((await preparedDatabases()).pgliteData, dataDir, { recursive: true });
    const { database, said } = await opened();
    expect(database.kind).toBe('pglite');
    expect(said).toContain('Set DATABASE_URL to embedded or pglite');
  });

  test('a try of PGlite does not hide what PostgreSQL keeps', async () => {
    await opened();
    await closeAll();
    expect((await opened('pglite')).said).toContain('which PGlite does not show');
    await closeAll();
    expect((await opened()).database.kind).toBe('postgres');
  });
});

describe('what PGlite kept', () => {
  test.each([undefined, 'embedded'])(
    'is in PostgreSQL row by row, once, and the old folder stays (DATABASE_URL %s)',
    async (databaseUrl) => {
      await writePgliteFolder(100);
      const { database, said } = await opened(databaseUrl);
      expect(said.match(/moved to PostgreSQL/g)).toHaveLength(1);
      const moved = await contentsOf(database);
      expect(moved.get('checks')?.split('\n')).toHaveLength(100);
      expect(moved.get('change_log')).not.toBe('');
      // Triggers work again, and numbering goes on.
      await database.run("update people set name = 'changed' where id = (select id from people limit 1)");
      await closeAll();
      expect(await contentsOfKept()).toEqual(moved);
      const again = await opened(databaseUrl);
      expect(again.said).not.toContain('moved');
      expect(await again.database.text("select count(*)::text from people where name = 'changed'")).toBe('1');
    },
  );

  test('is whole however often the move is killed', async () => {
    await writePgliteFolder(400);
    const before = digestOf(join(dataDir, 'pglite'));
    const program = `
      import { openDatabase } from ${JSON.stringify(OPEN_MODULE)};
      import { pino } from ${JSON.stringify(import.meta.resolve('pino'))};
      const logger = pino({ level: 'info' }, pino.destination({ dest: 1, sync: true }));
      await openDatabase({ databaseUrl: undefined, dataDir: ${JSON.stringify(dataDir)}, logger });
      setInterval(() => {}, 1000);`;
    for (const killedAfterMs of [0, 300, 600, 900, 1200, 1500, 2000]) {
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const output of [child.stdout, child.stderr])
        output.on('data', (chunk: Buffer) => {
          said += chunk.toString();
        });
      const ended = once(child, 'exit');
      await vi.waitFor(
        () => {
          // A start that ends by itself has failed, and says why.
          expect(child.exitCode, said).toBeNull();
          expect(said).toMatch(/moving what|data is kept by/);
        },
        { timeout: 60_000, interval: 5 },
      );
      await sleep(killedAfterMs);
      expect(child.exitCode, said).toBeNull();
      child.kill('SIGKILL');
      await ended;
    }
    const { database, said } = await opened();
    expect(database.kind, said).toBe('postgres');
    expect(existsSync(join(dataDir, 'postgres.moving'))).toBe(false);
    expect(digestOf(join(dataDir, 'pglite.moved'))).toBe(before);
    expect(await contentsOfKept()).toEqual(await contentsOf(database));
    expect(readdirSync(dataDir).filter((name) => name.startsWith('pglite'))).toEqual(['pglite.moved']);
  });

  test('is not moved again over what PostgreSQL got since, though the move was killed at its very end', async () => {
    const { database } = await opened();
    await migrate(database, silent);
    await database.run("insert into people (name) values ('Ann')");
    await closeAll();
    writeFileSync(join(dataDir, 'postgres.moving'), '');
    await expect(opened(undefined, missing)).rejects.toThrow(/The data is in .*postgres/);
    expect(existsSync(join(dataDir, 'pglite'))).toBe(false);
    const again = await opened();
    expect(again.database.kind).toBe('postgres');
    expect(await again.database.text("select count(*)::text from people where name = 'Ann'")).toBe('1');
    expect(existsSync(join(dataDir, 'postgres.moving'))).toBe(false);
  });

  test('stays the truth until all is moved', async () => {
    await writePgliteFolder(10);
    // A folder where PostgreSQL should be: its start fails after the move was begun.
    mkdirSync(join(dataDir, 'postgres.unfinished'));
    const first = await opened(undefined, missing);
    expect(first.database.kind).toBe('pglite');
    await first.database.run("insert into people (name) values ('written meanwhile')");
    await closeAll();
    const { database } = await opened();
    expect(await database.text("select count(*)::text from people where name = 'written meanwhile'")).toBe(
      '1',
    );
  });
});
