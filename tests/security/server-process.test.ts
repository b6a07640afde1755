/** The server as a process: how it starts, ends, is killed, comes back, and refuses. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { preparedDatabases } from '../prepared-databases.ts';
import { readEvents } from './support/event-reader.ts';
import { startProcess } from './support/server-process.ts';
import type { ServerProcess } from './support/server-process.ts';
import { openTestBrowser } from './support/test-browser.ts';

describe('the server process', () => {
  let dataDir: string;
  const started: ServerProcess[] = [];
  const start = (env: Record<string, string> = {}, args: string[] = []) => {
    const server = startProcess({ DATA_DIR: dataDir, ...env }, args);
    started.push(server);
    return server;
  };

  /** Spares a server the seconds that making its database takes. */
  const prepare = async (folder: string) =>
    cpSync((await preparedDatabases()).postgresData, folder, { recursive: true });

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'holdfast-process-'));
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((server) => server.end('SIGKILL')));
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  });

  it('shows the first password once, survives kill -9 with sessions and data, and stops with 0', async () => {
    const first = start();
    const firstUrl = await first.ready();
    const password = /Password:\s+(\S+)/.exec(first.output())?.[1] ?? '';
    expect(first.output()).toContain('First sign-in: admin@local');
    expect(first.output()).toContain('data is kept by PostgreSQL');
    const browser = openTestBrowser(firstUrl);
    expect((await browser.signIn('admin@local', password)).status).toBe(200);
    expect((await first.end('SIGKILL')).code).toBeNull();

    const second = start();
    const secondUrl = await second.ready();
    expect(second.output()).not.toContain('Password:');
    const again = openTestBrowser(secondUrl);
    for (const [name, value] of browser.cookies) again.cookies.set(name, value);
    expect((await again.get('/api/auth/whoami')).status).toBe(200);
    expect((await again.get('/api/readyz')).status).toBe(200);

    const stream = await again.get('/api/events');
    const events = readEvents(stream);
    await events.next('heartbeat');
    const { code, tookMs } = await second.end('SIGTERM');
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(10_000);
    expect(await events.next('signed-out')).toBeNull();
    const log = first.output() + second.output() + first.errors() + second.errors();
    expect(log.split(password)).toHaveLength(2);
  }, 120_000);

  it('ends in order when it is asked to in the middle of its first start, and leaves nothing running', async () => {
    const server = start();
    while (!existsSync(join(dataDir, 'postgres/postmaster.pid')) && server.child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const { code, tookMs } = await server.end('SIGTERM');
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(10_000);
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
    const again = start();
    await again.ready();
    expect((await again.end('SIGTERM')).code).toBe(0);
  }, 120_000);

  it('ends its PostgreSQL when its start fails', async () => {
    await prepare(dataDir);
    const keyFile = join(dataDir, 'identity.key');
    mkdirSync(keyFile);
    const server = start();
    expect((await server.end()).code).toBe(1);
    expect(server.errors()).not.toBe('');
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  }, 120_000);

  it('stops with 0 on SIGINT, too', async () => {
    await prepare(dataDir);
    const server = start();
    await server.ready();
    expect((await server.end('SIGINT')).code).toBe(0);
  }, 120_000);

  it('refuses a data folder that another server uses, in a line that names it', async () => {
    await prepare(dataDir);
    const first = start();
    await first.ready();
    const second = start();
    expect((await second.end()).code).toBe(1);
    expect(second.errors()).toContain('DATA_DIR');
    expect(second.errors()).toContain('in use by another server');
    expect(second.errors()).not.toContain('    at ');
    expect((await first.end('SIGTERM')).code).toBe(0);
  }, 120_000);

  it('refuses a port that is taken, with 1', async () => {
    const other = join(dataDir, 'other');
    await Promise.all([prepare(dataDir), prepare(other)]);
    const first = start();
    const { port } = new URL(await first.ready());
    const second = start({ PORT: port, DATA_DIR: other });
    expect((await second.end()).code).toBe(1);
    expect(second.errors()).toMatch(/^PORT \d+ on 127\.0\.0\.1 is in use/);
  }, 120_000);

  it('ends with 2 and one line when a folder that a setting names is not there, before it touches the data', async () => {
    const server = start({ CANARIES_DIR: join(dataDir, 'none') });
    expect((await server.end()).code).toBe(2);
    expect(server.errors()).toMatch(
      /^CANARIES_DIR="[^\n]+\/none" is not valid: it must name a folder[^\n]*\n$/,
    );
    expect(readdirSync(dataDir)).toEqual([]);
  }, 60_000);

  it('ends with 2 and one line when a setting is wrong', async () => {
    const server = start({ LOG_LEVEL: 'loud' });
    expect((await server.end()).code).toBe(2);
    expect(server.errors().trim().split('\n')).toHaveLength(1);
    expect(server.errors()).toMatch(/^LOG_LEVEL="loud" is not valid: allowed are trace, /);
    expect(server.output()).toBe('');
  }, 120_000);
});
