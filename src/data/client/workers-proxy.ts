/** The workers as the main thread calls them: every call a message, every listener a proxy. */
import { proxy, wrap } from 'comlink';
import type { ComputeApi } from '../../../workers/compute/api.ts';
import type { SyncApi } from '../../../workers/sync/api.ts';
import type { DataPlatform } from './platform.ts';

export interface WorkerApis {
  sync: SyncApi;
  compute: ComputeApi;
}

/** Starts both workers. */
export function openWorkers(platform: DataPlatform): WorkerApis {
  const ports = platform.startWorkers();
  // Every function of theirs answers with a promise already; Comlink's own type for that drops type parameters.
  return {
    sync: wrap(ports.sync) as unknown as SyncApi,
    compute: wrap(ports.compute) as unknown as ComputeApi,
  };
}

/** A function that a worker may call back. */
export const callback = proxy;
