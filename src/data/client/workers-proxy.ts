/** The workers as the main thread calls them: every call a message, every listener a proxy. */
import { proxy, wrap, type Endpoint } from 'comlink';
import type { ComputeApi } from '../../../workers/compute/api.ts';
import type { SyncApi } from '../../../workers/sync/api.ts';
import type { DataPlatform, WorkerPorts } from './platform.ts';

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

function startLater(platform: DataPlatform, start: Promise<void>): Record<keyof WorkerPorts, Endpoint> {
  const later = { sync: new LaterPort(), compute: new LaterPort() };
  void start.then(() => {
    const ports = platform.startWorkers();
    later.compute.connect(ports.compute);
    later.sync.connect(ports.sync);
  });
  return later;
}

/** Starts both workers, at once or when they may. */
export function openWorkers(platform: DataPlatform, start: Promise<void> | null = null): WorkerApis {
  const ports = start === null ? platform.startWorkers() : startLater(platform, start);
  // Every function of theirs answers with a promise already; Comlink's own type for that drops type parameters.
  return {
    sync: wrap(ports.sync) as unknown as SyncApi,
    compute: wrap(ports.compute) as unknown as ComputeApi,
  };
}

/** A function that a worker may call back. */
export const callback = proxy;
