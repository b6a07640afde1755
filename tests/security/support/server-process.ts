/** A real server process, on any free port. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { isBuilt } from '../../../scripts/source-stamp.mjs';

const READY = /Holdfast is ready on (\S+)/;
/** The bundle where it is of these sources: it starts in a quarter of the processor time that tsx takes. */
const PROGRAM = isBuilt() ? ['dist/server/main.js'] : ['--import', 'tsx', 'server/app/main.ts'];
const START_LIMIT_MS = 180_000;

export interface ServerProcess {
  child: ChildProcess;
  output(): string;
  errors(): string;
  /** Resolves with the address when it is ready; fails when the process ends first. */
  ready(): Promise<string>;
  /** Resolves with the exit code (null after a signal) and how long that took. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; tookMs: number }>;
}

export function startProcess(env: Record<string, string>, args: string[] = []): ServerProcess {
  const child = spawn(process.execPath, [...PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...env },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'exit');
  return {
    child,
    output: () => output,
    errors: () => errors,
    async ready() {
      const deadline = Date.now() + START_LIMIT_MS;
      while (Date.now() < deadline) {
        const url = READY.exec(output)?.[1];
        if (url !== undefined) return url;
        if (child.exitCode !== null) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`not ready (exit code ${child.exitCode}):\n${output}\n${errors}`);
    },
    async end(signal) {
      const startedMs = Date.now();
      if (signal !== undefined && child.exitCode === null) child.kill(signal);
      const [code] = (await exited) as [number | null];
      return { code, tookMs: Date.now() - startedMs };
    },
  };
}
