import type { Endpoint } from 'comlink';

/** A port to a worker that is started later: what happens to it until then happens in that order once it is. */
export class LaterPort implements Endpoint {
  private port: Worker | MessagePort | null = null;
  private waiting: ((port: Worker | MessagePort) => void)[] = [];

  get isConnected(): boolean {
    return this.port !== null;
  }

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
