/** Opens and closes a TCP connection. */
import { connect } from 'node:net';

/**
 * To an address that the guard answered; nothing is sent. The signal is heard here and not by the socket: one that is
 * given it stays in memory for as long as the server runs (Node 20, with `AbortSignal.any`).
 */
export function connectOnce(address: string, port: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const giveUp = () => socket.destroy(new Error('aborted', { cause: signal.reason }));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', giveUp));
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', (error) => {
      socket.destroy();
      reject(error);
    });
  });
}
