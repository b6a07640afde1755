/**
 * A real Holdfast server for one test file: the built program, its own data folder and port. It can be killed
 * without mercy and started again on the same data.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_FLAGS } from '../../scripts/node-flags.mjs';
import { freePort } from '../../tests/security/support/free-port.ts';

export const ADMIN = { email: 'admin@local', password: 'correct horse battery staple' };

export interface HoldfastServer {
  url: string;
  dataDir: string;
  start(): Promise<void>;
  /** SIGKILL: no goodbye. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Ends the server and removes its data. */
  dispose(): Promise<void>;
  output(): string;
  /** Of the running process. */
  pid(): number;
}

async function waitUntilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`server ended with ${child.exitCode}:\n${output()}`);
    const answer = await fetch(`${url}/api/readyz`).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`server not ready:\n${output()}`);
}

export interface ServerOptions {
  /** Settings beside those that every test needs. */
  env?: Record<string, string>;
  /** Flags such as --demo. */
  args?: string[];
  port?: number;
  /** The server makes its database itself, as on a new machine; else it begins with a copy of an empty one. */
  isFirstStart?: boolean;
}

/** Prepares a server with a data folder of its own; it runs after `start`. */
export async function prepareServer(options: ServerOptions = {}): Promise<HoldfastServer> {
  const port = options.port ?? (await freePort());
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-e2e-'));
  const template = process.env['HOLDFAST_E2E_DATA'];
  if (template !== undefined && options.isFirstStart !== true) cpSync(template, dataDir, { recursive: true });
  const url = `http://localhost:${port}`;
  let child: ChildProcess | null = null;
  let log = '';
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return running?.exitCode ?? null;
    running.kill(signal);
    const [code] = await once(running, 'exit');
    return typeof code === 'number' ? code : null;
  };
  return {
    url,
    dataDir,
    output: () => log,
    pid: () => child?.pid ?? 0,
    async start() {
      const started = spawn(
        process.execPath,
        [...NODE_FLAGS, 'dist/server/main.js', ...(options.args ?? [])],
        {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: {
            ...process.env,
            PORT: String(port),
            HOST: '127.0.0.1',
            DATA_DIR: dataDir,
            ADMIN_EMAIL: ADMIN.email,
            ADMIN_PASSWORD: ADMIN.password,
            LOG_LEVEL: 'info',
            ...options.env,
          },
        },
      );
      child = started;
      started.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
      started.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
      await waitUntilReady(url, started, () => log);
    },
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    async dispose() {
      await end('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
