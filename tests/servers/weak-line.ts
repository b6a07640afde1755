/** A line between two processes that can be cut, and be half open: connected, and nothing comes through. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface WeakLine {
  url: string;
  /** Where it leads; a server that was started again has another port. */
  leadTo(url: string): void;
  set(state: 'whole' | 'cut' | 'half open'): void;
  close(): Promise<void>;
}

/** Listens on loopback. */
export async function openWeakLine(target: string): Promise<WeakLine> {
  let port = Number(new URL(target).port);
  let state: 'whole' | 'cut' | 'half open' = 'whole';
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on('data', (chunk) => {
      if (state === 'whole' && !other.destroyed) other.write(chunk);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      // Whoever is at the other end of a half open line is not told.
      if (state !== 'half open') other.destroy();
    });
  };
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    keep(near, far);
    keep(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (url) => {
      port = Number(new URL(url).port);
    },
    set(next) {
      const was = state;
      state = next;
      // What was held back while it was half open is gone: those connections end.
      if (next === 'cut' || was === 'half open') for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        state = 'cut';
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
