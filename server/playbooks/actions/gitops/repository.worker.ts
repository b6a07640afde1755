/**
 * The thread that works on a repository: packs and expressions of any size take no time from the server's own loop. It
 * makes no calls itself and knows no credentials; its other end, repository-thread.ts, ends it when its time is up.
 */
import { MessagePort, workerData } from 'node:worker_threads';
import * as Comlink from 'comlink';
import { AppError } from '../../../../src/contract/errors.ts';
import type { RepositoryHost, RepositoryJob, RepositoryUpdate, ThreadFailure } from './repository-job.ts';
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
}

const thread: RepositoryThread = {
  async update(job, host) {
    try {
      return await updateRepository(job, host);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { failure: { isInvalid: error instanceof AppError, message } };
    }
  },
};

// The same port as in a browser; only the types of what may be handed over differ.
Comlink.expose(thread, port as unknown as Comlink.Endpoint);
