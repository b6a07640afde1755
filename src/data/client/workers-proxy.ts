/** The workers as the main thread calls them: every call a message, every listener a proxy. */
import { proxy, releaseProxy, wrap, type Endpoint } from 'comlink';
import type { ComputeApi } from '../../../workers/compute/api.ts';
import type { SyncApi } from '../../../workers/sync/api.ts';
import type { DataPlatform, WorkerPorts } from './platform.ts';

type WorkersPlatform = Pick<DataPlatform, 'startWorkers' | 'report'>;

export interface WorkerApis {
  sync: SyncApi;
  compute: ComputeApi;
}

/** A port to a worker that is started later: what happens to it until then happens in that order once it is. */
class LaterPort implements Endpoint {
  private port: Worker | MessagePort | null = null;
  private waiting: ((port: Worker | MessagePort) => void)[] = [];

  connect(port: Worker | MessagePort): void {
    this.port = port;
    for (const use of this.waiting) use(port);
    this.waiting = [];
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    this.use((port) => port.postMessage(message, transfer));
  }

  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: object): void {
    this.use((port) => port.addEventListener(type, listener, options));
  }

  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: object): void {
    this.use((port) => port.removeEventListener(type, listener, options));
  }

  start(): void {
    this.use((port) => {
      if ('start' in port) port.start();
    });
  }

  private use(run: (port: Worker | MessagePort) => void): void {
    if (this.port === null) this.waiting.push(run);
    else run(this.port);
  }
}

function startLater(platform: WorkersPlatform, start: Promise<void>): Record<keyof WorkerPorts, Endpoint> {
  const later = { sync: new LaterPort(), compute: new LaterPort() };
  const run = () => {
    const ports = platform.startWorkers();
    later.compute.connect(ports.compute);
    later.sync.connect(ports.sync);
  };
  // Whatever went wrong before them, without them there is no app.
  void start.catch((error: unknown) => platform.report(error)).then(run);
  return later;
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

/** Starts both workers, at once or when they may. */
export function openWorkers(platform: WorkersPlatform, start: Promise<void> | null = null): WorkerApis {
  const ports = start === null ? platform.startWorkers() : startLater(platform, start);
  // Every function of theirs answers with a promise already; Comlink's own type for that drops type parameters.
  const sync = wrap(ports.sync) as unknown as SyncApi;
  const compute = wrap(ports.compute) as unknown as ComputeApi;
  return {
    sync: {
      ask: (name, args, listener) => untilClosed(sync.ask(name, args, listener)),
      status: (listener) => untilClosed(sync.status(listener)),
      send: (...command) => sync.send(...command),
      act: (name, args) => sync.act(name, args),
    },
    compute: {
      ask: (name, args, listener) => untilClosed(compute.ask(name, args, listener)),
      act: (name, args) => compute.act(name, args),
    },
  };
}

/** A function that a worker may call back. */
export const callback = proxy;
