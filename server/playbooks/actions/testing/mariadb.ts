/** For tests only: a MariaDB of its own on this machine, by Debian's mariadb-server-core. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const PROGRAM = '/usr/sbin/mariadbd';
const TABLES = '/usr/share/mysql/mysql_system_tables.sql';
export const MARIADB_PASSWORD = 'a password for tests';

export interface MariaDb {
  /** With user, password and database. */
  url: string;
  close: () => Promise<void>;
}

const common = (folder: string) => [
  '--no-defaults',
  `--datadir=${folder}`,
  // A server that starts takes away what others leave in a folder for all.
  `--tmpdir=${folder}`,
  `--user=${userInfo().username}`,
  '--innodb-log-file-size=8M',
];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The tables that the server itself needs. */
async function bootstrap(folder: string): Promise<void> {
  const program = spawn(PROGRAM, [...common(folder), '--bootstrap'], { stdio: ['pipe', 'ignore', 'pipe'] });
  const told: Buffer[] = [];
  program.stderr.on('data', (part: Buffer) => told.push(part));
  program.stdin.end(`create database mysql;\nuse mysql;\n${await readFile(TABLES, 'utf8')}`);
  const code = await new Promise((resolve, reject) => {
    program.on('error', reject);
    program.on('close', resolve);
  });
  if (code !== 0) throw new Error(`mariadbd --bootstrap: ${Buffer.concat(told).toString().slice(-500)}`);
}

/** Ready when it answers; all of it is gone when it is closed. */
export async function startMariaDb(): Promise<MariaDb> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-mariadb-'));
  await bootstrap(folder);
  const init = join(folder, 'init.sql');
  const port = await freePort();
  await writeFile(
    init,
    `create user 'runner'@'127.0.0.1' identified by '${MARIADB_PASSWORD}';\ncreate database shop;\ngrant all on shop.* to 'runner'@'127.0.0.1';\n`,
  );
  const listening = ['--bind-address=127.0.0.1', `--port=${port}`, `--socket=${join(folder, 'socket')}`];
  const own = [...common(folder), ...listening, '--skip-name-resolve', `--init-file=${init}`];
  const program = spawn(PROGRAM, own, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => program.on('close', resolve));
  await new Promise<void>((resolve, reject) => {
    let told = '';
    program.stderr.on('data', (part: Buffer) => {
      told += part.toString();
      if (told.includes('ready for connections')) resolve();
    });
    program.on('error', reject);
    program.on('close', () => reject(new Error(`mariadbd ended: ${told.slice(-500)}`)));
  });
  return {
    url: `mysql://runner:${encodeURIComponent(MARIADB_PASSWORD)}@127.0.0.1:${port}/shop`,
    async close() {
      program.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
