/**
 * Runs a script of a specification with bash: a clean environment, a folder of its own, a process group that is
 * killed whole, and limits on time and output. Whether scripts may run at all is the caller's to ask.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { AppError } from '../../../src/contract/errors.ts';
import { collectFiles } from './collect-files.ts';
import type { LeftFiles } from './collect-files.ts';

/** Names that change what bash or the loader does before the script begins. */
const REFUSED_ENV = /^(LD_|DYLD_|BASH_|NODE_OPTIONS$|ENV$|IFS$|PATH$|SHELLOPTS$|PS4$)/;
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface ScriptEnd {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** It wrote more than it may and was stopped. */
  isCut: boolean;
}

interface Script {
  script: string;
  env: Readonly<Record<string, string>>;
  /** Stops the script with all that it started. */
  signal: AbortSignal;
  maxOutputBytes: number;
  /** Globs of files in its folder that are wanted when it has ended. */
  wantedFiles?: readonly string[];
  /** Puts files into its folder before it begins; answers where in the folder it begins, and more of its variables. */
  prepare?: (folder: string) => Promise<{ startIn: string; env: Readonly<Record<string, string>> }>;
  /** Told what it writes while it runs; never more than `maxOutputBytes`. */
  output?: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** What the script sees: its own variables and nothing of the server's. Throws for names that aren't allowed. */
function environmentOf(env: Script['env'], folder: string): Record<string, string> {
  for (const name of Object.keys(env)) {
    if (!ENV_NAME.test(name) || REFUSED_ENV.test(name))
      throw new AppError('invalid', `env ${name} is not allowed`);
  }
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', ...env, HOME: folder };
}

/** Ends the script and everything that it started. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // Ended by itself in the meantime.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function runIn(folder: string, { script, env, signal, maxOutputBytes, output }: Script): Promise<ScriptEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-c', script], {
      cwd: folder,
      env: environmentOf(env, folder),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let size = 0;
    let isCut = false;
    // A character may come in two chunks.
    const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
    const take = (name: 'stdout' | 'stderr') => (chunk: Buffer) => {
      const room = maxOutputBytes - size;
      size += chunk.length;
      if (room > 0) {
        const kept = chunk.subarray(0, room);
        chunks[name].push(kept);
        output?.(name, decoders[name].write(kept));
      }
      if (size > maxOutputBytes && !isCut) {
        isCut = true;
        killGroup(child);
      }
    };
    child.stdout.on('data', take('stdout'));
    child.stderr.on('data', take('stderr'));
    const stop = () => killGroup(child);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    child.on('error', reject);
    // What the script left running goes with it; it may hold the pipes open, and `close` waits for those.
    child.on('exit', stop);
    child.on('close', (exitCode) => {
      signal.removeEventListener('abort', stop);
      const text = (name: 'stdout' | 'stderr') =>
        Buffer.concat(chunks[name])
          .toString('utf8')
          .replace(/\r?\n$/, '');
      resolve({ exitCode, stdout: text('stdout'), stderr: text('stderr'), isCut });
    });
  });
}

/** Runs it to its end; the folder that it ran in is gone afterwards, but for the files that were wanted of it. */
export async function runScript(script: Script): Promise<ScriptEnd & { left: LeftFiles }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-exec-'));
  try {
    const { startIn, env } = (await script.prepare?.(folder)) ?? { startIn: '', env: {} };
    const start = join(folder, startIn);
    const ended = await runIn(start, { ...script, env: { ...script.env, ...env } });
    return { ...ended, left: await collectFiles(start, script.wantedFiles ?? []) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
