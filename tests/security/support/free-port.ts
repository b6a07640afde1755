import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that systems give to who names none (from 32768 on Linux): what else runs takes none of these between the
 * answer and its use.
 */
const [LOWEST, COUNT] = [20_000, 12_000];
const ATTEMPTS = 50;

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/** A port nothing listens on now. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port among ${ATTEMPTS} from ${LOWEST} to ${LOWEST + COUNT}`);
}
