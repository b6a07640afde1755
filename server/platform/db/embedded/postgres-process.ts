/** The process of an embedded PostgreSQL: started until it is ready, started again when it ends by itself, stopped. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '../../../../src/contract/errors.ts';
import { EXIT_LOCKED, folderInUse } from './launcher.ts';
import type { Launcher } from './launcher.ts';

export interface SupervisedProcess {
  /** Ends it in order, its data flushed. */
  stop(): Promise<void>;
}

interface ProcessOptions {
  command: () => ReturnType<Launcher['command']>;
  /** Takes away what an ended process left. */
  clear: () => Promise<void>;
  folder: string;
  logger: Logger;
}

const READY = 'database system is ready to accept connections';
/** Of what it said, for the error of a start that failed. */
const KEPT_LINES = 12;
/** After a fast shutdown that hangs an immediate one, from which the next start recovers. */
const STOP_LIMIT_MS = 8000;
const AGAIN_MS = 500;
const MOST_AGAIN_MS = 30_000;

function failure(folder: string, code: number | null, lines: readonly string[]): AppError {
  if (code === EXIT_LOCKED) return folderInUse(folder);
  return new AppError('server', `PostgreSQL in ${folder} did not start: ${lines.join('\n')}`);
}

/** Passes its lines on and remembers the last ones; resolves when it is ready. */
function follow(child: ChildProcess, { folder, logger }: ProcessOptions): Promise<void> {
  const lines: string[] = [];
  let rest = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        if (line.includes('PANIC:')) logger.error({ line }, 'postgres');
        else logger.debug({ line }, 'postgres');
        if (line.includes(READY)) resolve();
      }
      lines.push(...parts);
      lines.splice(0, lines.length - KEPT_LINES);
    });
    child.once('error', (cause) =>
      reject(new AppError('server', `PostgreSQL could not be run: ${cause.message}`, { cause })),
    );
    child.once('close', (code) => reject(failure(folder, code, [...lines, rest].filter(Boolean))));
  });
}

interface Started {
  child: ChildProcess;
  exited: Promise<unknown>;
}

async function startOnce(options: ProcessOptions): Promise<Started> {
  const { file, args, options: spawnOptions } = options.command();
  const child = spawn(file, args, spawnOptions);
  // An end of ours that runs no code of ours (process.exit) must not leave it behind.
  const endWithUs = () => child.kill('SIGINT');
  process.once('exit', endWithUs);
  const exited = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  }).finally(() => process.off('exit', endWithUs));
  await follow(child, options);
  return { child, exited };
}

async function end({ child, exited }: Started, logger: Logger): Promise<void> {
  child.kill('SIGINT');
  const limit = new AbortController();
  const late = sleep(STOP_LIMIT_MS, 'late', { signal: limit.signal }).catch(() => null);
  if ((await Promise.race([exited, late])) === 'late') {
    logger.warn('PostgreSQL does not end in order; it will recover at its next start');
    child.kill('SIGQUIT');
  }
  await exited;
  limit.abort();
}

/** Starts it; fails with what it said when it doesn't get ready. */
export async function superviseProcess(options: ProcessOptions): Promise<SupervisedProcess> {
  const { logger, clear } = options;
  const stopping = new AbortController();
  let running: Started | null = await startOnce(options);

  const startAgain = async () => {
    for (let waitMs = AGAIN_MS; ; waitMs = Math.min(2 * waitMs, MOST_AGAIN_MS)) {
      await sleep(waitMs, undefined, { signal: stopping.signal });
      try {
        await clear();
        return await startOnce(options);
      } catch (error) {
        logger.error({ err: error }, 'PostgreSQL did not start again; trying on');
      }
    }
  };
  const watch = async () => {
    while (running !== null && !stopping.signal.aborted) {
      await running.exited;
      running = null;
      if (stopping.signal.aborted) return;
      logger.error('PostgreSQL ended by itself; starting it again');
      running = await startAgain();
    }
  };
  const watching = watch().catch((error: unknown) => {
    // Stopped while it waited.
    if (!stopping.signal.aborted) logger.error({ err: error }, 'PostgreSQL is no longer watched');
  });

  return {
    async stop() {
      stopping.abort();
      if (running !== null) await end(running, logger);
      await watching;
      // One that was about to start again.
      if (running !== null) await end(running, logger);
    },
  };
}
