/**
 * The values of a YAML text of any length. Reading takes half a second for each megabyte: a long one is read in a thread of
 * its own, one after the other, and ends with the work that it is for.
 */
import { Worker } from 'node:worker_threads';
import { orAborted } from '../../../src/lib/or-aborted.ts';
import { Turns } from '../jobs/turns.ts';
import { readValues, type ReadAnswer } from './read-values.ts';

/** Characters that are read at once: some 30 ms. */
const SHORT = 64 * 1024;
/** Some ten megabytes of text. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 1024 };
const turns = new Turns(1);

function startWorker(text: string): Worker {
  const file = import.meta.url.endsWith('.ts') ? './yaml-from-source.mjs' : './yaml.worker.js';
  return new Worker(new URL(file, import.meta.url), {
    workerData: text,
    execArgv: [],
    resourceLimits: THREAD_LIMITS,
  });
}

async function readInThread(text: string, signal: AbortSignal): Promise<unknown[]> {
  const worker = startWorker(text);
  try {
    const told = new Promise<ReadAnswer>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', () => reject(new Error('it takes too much memory to be read')));
      worker.once('exit', () => reject(new Error('it could not be read')));
    });
    const answer = await orAborted(told, signal);
    if (!answer.ok) throw new Error(answer.reason);
    return answer.values;
  } finally {
    await worker.terminate();
  }
}

/** Of each document that says anything. Throws with the first thing that is wrong, and when the signal aborts. */
export async function yamlValues(text: string, signal: AbortSignal): Promise<unknown[]> {
  return text.length <= SHORT ? readValues(text) : turns.during(signal, () => readInThread(text, signal));
}
