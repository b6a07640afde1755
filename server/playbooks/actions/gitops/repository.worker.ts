/**
 * The thread that works on a repository: packs and expressions of any size take no time from the server's own loop. It
 * makes no calls itself and knows no credentials; its other end, repository-thread.ts, ends it when its time is up.
 */
import { MessagePort, workerData } from 'node:worker_threads';
import * as Comlink from 'comlink';
import { AppError } from '../../../../src/contract/errors.ts';
import { checkOutRepository } from './check-out-repository.ts';
import type {
  CheckoutJob,
  RepositoryHost,
  RepositoryJob,
  RepositoryUpdate,
  ThreadFailure,
} from './repository-job.ts';
import { updateRepository } from './update-repository.ts';

const port: unknown = workerData;
if (!(port instanceof MessagePort)) throw new Error('repository.worker runs as a worker thread only');

/** What is there of WebAssembly in Node, as far as it is needed. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow: (pages: number) => number;
}

const PAGE_BYTES = 65_536;
const MAX_PAGES = 4096;
const wasm = Reflect.get(globalThis, 'WebAssembly') as { Memory: { prototype: WasmMemory } };
const { grow } = wasm.Memory.prototype;
// jq's own memory: an expression that wants more fails instead of taking the machine's.
wasm.Memory.prototype.grow = function bounded(this: WasmMemory, pages) {
  if (this.buffer.byteLength / PAGE_BYTES + pages > MAX_PAGES) throw new RangeError('out of memory');
  return grow.call(this, pages);
};

/** What the server calls here. */
export interface RepositoryThread {
  update: (job: RepositoryJob, host: RepositoryHost) => Promise<RepositoryUpdate | ThreadFailure>;
  checkOut: (job: CheckoutJob, host: RepositoryHost) => Promise<{ commit: string } | ThreadFailure>;
}

async function orFailure<T>(work: Promise<T>): Promise<T | ThreadFailure> {
  try {
    return await work;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { failure: { isInvalid: error instanceof AppError, message } };
  }
}

const thread: RepositoryThread = {
  update: (job, host) => orFailure(updateRepository(job, host)),
  checkOut: (job, host) => orFailure(checkOutRepository(job, host)),
};

// The same port as in a browser; only the types of what may be handed over differ.
Comlink.expose(thread, port as unknown as Comlink.Endpoint);
