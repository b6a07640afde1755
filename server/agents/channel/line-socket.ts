/**
 * A stream as a socket of the operating system. Node's HTTP/2 on any other stream ends the process by an assertion when
 * the stream is cut during a write (seen in 20.20: `JSStreamSocket.doWrite`), and lines are cut often. So the bytes take
 * a way within this machine, between two ends of one connection that nobody else can be at.
 */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../../../src/contract/errors.ts';

const LOOPBACK = '127.0.0.1';

/** Two ends of one connection. */
function socketPair(): Promise<[Socket, Socket]> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const near = connect((server.address() as AddressInfo).port, LOOPBACK);
      near.once('error', reject);
      const waiting: Socket[] = [];
      const match = () => {
        if (near.connecting) return;
        const far = waiting.find(({ remotePort }) => remotePort === near.localPort);
        if (far === undefined) return;
        server.close();
        // Whoever else found the port in this moment is not the other end.
        for (const other of waiting) if (other !== far) other.destroy();
        resolve([near, far]);
      };
      near.once('connect', match);
      server.on('connection', (far) => {
        waiting.push(far);
        match();
      });
    });
  });
}

/** Cut with the stream, and the stream with it. */
export async function lineSocket(line: Duplex): Promise<Socket> {
  const [near, far] = await socketPair();
  const cut = () => {
    for (const one of [line, near, far]) one.destroy();
  };
  for (const one of [line, near, far]) {
    one.on('error', cut);
    one.once('close', cut);
  }
  for (const one of [near, far]) one.setNoDelay(true);
  if (line.destroyed) {
    cut();
    throw new AppError('network', 'The line was cut before it was used');
  }
  line.pipe(near).pipe(line);
  return far;
}
