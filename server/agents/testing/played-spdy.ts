/**
 * For tests only: the SPDY side of a cluster's exec and port-forward, as older tools speak it. Of SPDY/3.1 it knows what
 * kubectl needs: streams are opened, answered, written and ended. Exec writes what it ran; a forwarded port echoes.
 */
import type { Duplex } from 'node:stream';
import { constants, createDeflate } from 'node:zlib';

export const SPDY = 'SPDY/3.1';

const CONTROL = 0x80;
const VERSION = 3;
const [SYN_STREAM, SYN_REPLY, PING] = [1, 2, 6] as const;
const FIN = 1;
const HEAD_BYTES = 8;

/** Type, flags and payload of a control frame. */
function control(type: number, payload: Buffer): Buffer {
  const head = Buffer.from([CONTROL, VERSION, 0, type, 0, 0, 0, 0]);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

function data(id: number, payload: Buffer, isLast = false): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(id, 0);
  head.writeUInt8(isLast ? FIN : 0, 4);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

/** Header blocks of one connection are one compressed text: here each has no headers. */
function createReplies() {
  const deflate = createDeflate();
  const packed = () =>
    new Promise<Buffer>((resolve) => {
      const chunks: Buffer[] = [];
      const take = (chunk: Buffer) => chunks.push(chunk);
      deflate.on('data', take);
      deflate.write(Buffer.alloc(4));
      deflate.flush(constants.Z_SYNC_FLUSH, () => {
        deflate.off('data', take);
        resolve(Buffer.concat(chunks));
      });
    });
  return async (id: number): Promise<Buffer> => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(id, 0);
    return control(SYN_REPLY, Buffer.concat([head, await packed()]));
  };
}

interface Frame {
  isControl: boolean;
  /** A type of a control frame, a stream's id of another. */
  word: number;
  flags: number;
  payload: Buffer;
}

async function* framesOf(socket: Duplex, head: Buffer): AsyncGenerator<Frame> {
  let held = head;
  const next = function* (): Generator<Frame> {
    while (held.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + held.readUIntBE(5, 3);
      if (held.length < end) return;
      const isControl = (held[0] ?? 0) >= CONTROL;
      const word = isControl ? held.readUInt16BE(2) : held.readUInt32BE(0);
      yield { isControl, word, flags: held[4] ?? 0, payload: held.subarray(HEAD_BYTES, end) };
      held = held.subarray(end);
    }
  };
  yield* next();
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    held = Buffer.concat([held, chunk]);
    yield* next();
  }
}

const HANDSHAKE = (protocol: string) =>
  `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${SPDY}\r\nx-stream-protocol-version: ${protocol}\r\n\r\n`;

/** What a command wrote, and the end of all of its streams. */
function ranIt(url: URL, { ids, wanted }: { ids: readonly number[]; wanted: readonly string[] }): Buffer {
  const out = ids[wanted.indexOf('stdout')] ?? 0;
  const text = `ran ${url.searchParams.getAll('command').join(' ')} by SPDY`;
  return Buffer.concat([data(out, Buffer.from(text)), ...ids.map((id) => data(id, Buffer.alloc(0), true))]);
}

/** Until the other side goes. `protocol` is the one that was agreed on. */
export async function speakSpdy(
  socket: Duplex,
  { url, protocol, head }: { url: URL; protocol: string; head: Buffer },
): Promise<void> {
  socket.write(HANDSHAKE(protocol));
  const reply = createReplies();
  const isExec = url.pathname.endsWith('/exec');
  const wanted = ['error', 'stdin', 'stdout', 'stderr'].filter(
    (name) => name === 'error' || url.searchParams.get(name) === 'true',
  );
  const ids: number[] = [];
  for await (const { isControl, word, flags, payload } of framesOf(socket, head)) {
    if (isControl && word === PING) socket.write(control(PING, payload));
    if (isControl && word === SYN_STREAM) {
      const id = payload.readUInt32BE(0);
      ids.push(id);
      socket.write(await reply(id));
      if (isExec && ids.length === wanted.length) socket.write(ranIt(url, { ids, wanted }));
    }
    if (!isControl && !isExec) socket.write(data(word, payload, flags === FIN));
  }
}
