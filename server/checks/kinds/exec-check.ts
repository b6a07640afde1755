/**
 * exec: runs a script with bash, only where the server was started with ALLOW_EXEC=true. A clean environment, a
 * folder of its own, a process group that is killed whole, and a limit on time and output.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import type { SpecOf } from '../documents/check-specs.ts';
import type { KindContext, KindResult } from './check-kind.ts';
import { failed, invalid, passed, reasonOf } from './check-kind.ts';
import { readValue } from './secret-values.ts';

const DEFAULT_LIMIT_S = 60;
const MAX_OUTPUT_BYTES = 256 * 1024;
/** Names that change what bash or the loader does before the script begins. */
const REFUSED_ENV = /^(LD_|DYLD_|BASH_|NODE_OPTIONS$|ENV$|IFS$|PATH$|SHELLOPTS$|PS4$)/;
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  isCut: boolean;
}

async function environmentOf(spec: SpecOf<'exec'>, context: KindContext): Promise<Record<string, string>> {
  const environment: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };
  for (const entry of spec.env ?? []) {
    const { name } = entry;
    if (name === undefined || !ENV_NAME.test(name) || REFUSED_ENV.test(name))
      throw new AppError('invalid', `env ${name} is not allowed`);
    environment[name] = await readValue(entry, context);
  }
  return environment;
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

function runScript(
  script: string,
  options: { folder: string; env: Record<string, string>; signal: AbortSignal },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-c', script], {
      cwd: options.folder,
      env: options.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let size = 0;
    let isCut = false;
    const take = (name: 'stdout' | 'stderr') => (chunk: Buffer) => {
      const room = MAX_OUTPUT_BYTES - size;
      size += chunk.length;
      if (room > 0) chunks[name].push(chunk.subarray(0, room));
      if (size > MAX_OUTPUT_BYTES && !isCut) {
        isCut = true;
        killGroup(child);
      }
    };
    child.stdout.on('data', take('stdout'));
    child.stderr.on('data', take('stderr'));
    const stop = () => killGroup(child);
    if (options.signal.aborted) stop();
    options.signal.addEventListener('abort', stop, { once: true });
    child.on('error', reject);
    // What the script left running goes with it; it may hold the pipes open, and `close` waits for those.
    child.on('exit', stop);
    child.on('close', (exitCode) => {
      options.signal.removeEventListener('abort', stop);
      const text = (name: 'stdout' | 'stderr') =>
        Buffer.concat(chunks[name])
          .toString('utf8')
          .replace(/\r?\n$/, '');
      resolve({ exitCode, stdout: text('stdout'), stderr: text('stderr'), isCut });
    });
  });
}

function judge(spec: SpecOf<'exec'>, ended: Ended, durationMs: number): KindResult {
  const data = { results: { stdout: ended.stdout, stderr: ended.stderr, exitCode: ended.exitCode ?? -1 } };
  if (ended.isCut)
    return failed(`wrote more than ${MAX_OUTPUT_BYTES} bytes and was stopped`, durationMs, data);
  if (spec.test === undefined && ended.exitCode !== 0)
    return failed(ended.stderr.split('\n')[0] || `exit code ${ended.exitCode ?? 'none'}`, durationMs, data);
  return passed(durationMs, data, ended.stdout);
}

export async function runExecCheck(spec: SpecOf<'exec'>, context: KindContext): Promise<KindResult> {
  if (!context.isExecAllowed)
    return invalid('exec checks are switched off; start the server with ALLOW_EXEC=true');
  if (spec.checkout !== undefined || spec.connections !== undefined)
    return invalid('checkout and connections are not supported on this server');
  const limitMs = (spec.timeout ?? DEFAULT_LIMIT_S) * 1000;
  const startedMs = context.platform.now();
  const elapsed = () => context.platform.now() - startedMs;
  const timeout = AbortSignal.timeout(limitMs);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-exec-'));
  try {
    const env = { ...(await environmentOf(spec, context)), HOME: folder };
    const ended = await runScript(spec.script, {
      folder,
      env,
      signal: AbortSignal.any([context.signal, timeout]),
    });
    if (timeout.aborted) return failed(`ran longer than ${limitMs} ms and was stopped`, elapsed());
    if (context.signal.aborted) return failed('was stopped with the server', elapsed());
    return judge(spec, ended, elapsed());
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return invalid(error.message);
    return failed(reasonOf(error), elapsed());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
