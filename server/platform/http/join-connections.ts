/** Two connections that are one: what each sends is passed to the other, byte for byte. */
import type { Duplex } from 'node:stream';

/** For what was sent before one side ended to be read on the other, and for that one to end as well. */
const LINGER_MS = 60_000;

interface JoinedConnections {
  one: Duplex;
  other: Duplex;
  /** Cuts both. */
  signal: AbortSignal;
  lingerMs?: number;
}

/**
 * Resolves when both are closed. An end is passed on as an end, after all that was sent before it, and a cut as a cut. Not
 * two `pipeline`s: when one side is over, that of the other way counts as broken, and takes away what is still to be read.
 */
export async function joinConnections(joined: JoinedConnections): Promise<void> {
  const { one, other, signal, lingerMs = LINGER_MS } = joined;
  let lingering: NodeJS.Timeout | undefined;
  const cut = () => {
    one.destroy();
    other.destroy();
  };
  const pass = (from: Duplex, to: Duplex) =>
    new Promise<void>((resolve) => {
      const closed = () => {
        if (from.readableEnded) to.resume();
        else cut();
        resolve();
      };
      from.once('end', () => {
        lingering ??= setTimeout(cut, lingerMs).unref();
      });
      // Told by `close`.
      from.on('error', () => undefined);
      if (from.closed) closed();
      else from.once('close', closed);
      from.pipe(to);
    });
  signal.addEventListener('abort', cut, { once: true });
  if (signal.aborted) cut();
  await Promise.all([pass(one, other), pass(other, one)]);
  clearTimeout(lingering);
  signal.removeEventListener('abort', cut);
}
