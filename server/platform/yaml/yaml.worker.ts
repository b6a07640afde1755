/** The thread in which one long YAML text is read; its other end is yaml-values.ts. It ends with its answer. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { reasonOf } from '../reason-of.ts';
import { readValues } from './read-values.ts';
import type { ReadAnswer } from './read-values.ts';

const port = parentPort;
if (port === null) throw new Error('yaml.worker runs as a worker thread only');

function answer(text: string): ReadAnswer {
  try {
    return { ok: true, values: readValues(text) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

port.postMessage(answer(z.string().parse(workerData)));
