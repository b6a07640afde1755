/** The workers as the main thread calls them: every call a message, every listener a proxy. */
import { proxy, releaseProxy } from 'comlink';
import type { ComputeApi } from '../../../workers/compute/api.ts';
import type { SyncApi } from '../../../workers/sync/api.ts';
import type { DataPlatform, WorkerName } from './platform.ts';
import { WorkerConnection } from './worker-connection.ts';

type WorkersPlatform = Pick<DataPlatform, 'startWorker' | 'later' | 'report'>;

export interface WorkerApis {
  sync: SyncApi;
  compute: ComputeApi;
  /** Starts again now what could not be loaded and is waited with. */
  retry(): void;
}

interface StartOptions {
  /** What goes before them; null for nothing. */
  start: Promise<void> | null;
  /** The file of a worker could not be loaded; it is tried again by itself. */
  onNotLoaded: () => void;
}

interface Opened {
  close(): Promise<void>;
  update?(...asked: unknown[]): Promise<void>;
}

/**
 * What a worker opened, let go when it is closed: its port and that of the listener keep each other alive, and with them
 * whatever both sides hold.
 */
async function untilClosed<Asked>(asked: Promise<Asked>): Promise<Asked> {
  const opened = (await asked) as Opened & { [releaseProxy]: () => void };
  let isOpen = true;
  const own: Opened = {
    update: async (...next) => {
      if (isOpen) await opened.update?.(...next);
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await opened.close();
      opened[releaseProxy]();
    },
  };
  return own as Asked;
}

function startAll(connections: readonly { start(): void }[]): void {
  for (const one of connections) one.start();
}

/** Starts both workers, at once or when `start` is over. */
export function openWorkers(platform: WorkersPlatform, { start, onNotLoaded }: StartOptions): WorkerApis {
  const connect = <Api>(name: WorkerName) =>
    new WorkerConnection<Api>({
      start: () => platform.startWorker(name),
      later: platform.later,
      onNotLoaded,
    });
  const compute = connect<ComputeApi>('compute');
  const sync = connect<SyncApi>('sync');
  if (start === null) startAll([compute, sync]);
  // Whatever went wrong before them, without them there is no app.
  else void start.catch((error: unknown) => platform.report(error)).then(() => startAll([compute, sync]));
  return {
    sync: {
      ask: (name, args, listener) => untilClosed(sync.call((api) => api.ask(name, args, listener))),
      status: (listener) => untilClosed(sync.call((api) => api.status(listener))),
      send: (...command) => sync.call((api) => api.send(...command)),
      act: (name, args) => sync.call((api) => api.act(name, args)),
    },
    compute: {
      ask: (name, args, listener) => untilClosed(compute.call((api) => api.ask(name, args, listener))),
      act: (name, args) => compute.call((api) => api.act(name, args)),
    },
    retry: () => {
      for (const one of [compute, sync]) one.retry();
    },
  };
}

/** A function that a worker may call back. */
export const callback = proxy;
