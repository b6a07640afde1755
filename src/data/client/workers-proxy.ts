/** The workers as the main thread calls them: every call a message, every listener a proxy. */
import { proxy, wrap, type Remote } from 'comlink';
import type { ComputeApi } from '../../../workers/compute/api.ts';
import type { SyncApi } from '../../../workers/sync/api.ts';
import type { DataPlatform } from './platform.ts';

export interface WorkerDoors {
  sync: Remote<SyncApi>;
  compute: Remote<ComputeApi>;
}

/** Starts both workers. */
export function openWorkers(platform: DataPlatform): WorkerDoors {
  const ports = platform.startWorkers();
  return { sync: wrap<SyncApi>(ports.sync), compute: wrap<ComputeApi>(ports.compute) };
}

/** A function that a worker may call back. */
export const callback = proxy;
