/** For tests only: a directory that speaks as much of LDAP (RFC 4511) as a client needs to sign in and search. */
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { AddressInfo, Socket } from 'node:net';

export interface TestLdap {
  port: number;
  stop: () => void;
}

const MESSAGE = 0x30;
const BIND = 0x60;
const SEARCH = 0x63;
const NO_SUCH_OBJECT = 32;
const INVALID_CREDENTIALS = 49;
/** A search that begins here is never answered. */
export const SILENT_BASE = 'ou=silent';

interface Part {
  tag: number;
  value: Buffer;
  end: number;
}

/** One element of BER; null when it is not whole yet. */
function partAt(bytes: Buffer, at: number): Part | null {
  const first = bytes[at + 1];
  if (first === undefined) return null;
  const more = first > 0x7f ? first & 0x7f : 0;
  if (bytes.length < at + 2 + more) return null;
  const length = more === 0 ? first : bytes.readUIntBE(at + 2, more);
  const end = at + 2 + more + length;
  return end > bytes.length ? null : { tag: bytes[at] ?? 0, value: bytes.subarray(at + 2 + more, end), end };
}

function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  for (let part = partAt(bytes, 0); part !== null; part = partAt(bytes, part.end)) parts.push(part);
  return parts;
}

const element = (tag: number, ...values: Buffer[]) => {
  const value = Buffer.concat(values);
  return Buffer.concat([Buffer.from([tag, 0x82, value.length >> 8, value.length & 0xff]), value]);
};
const result = (tag: number, code: number) =>
  element(tag, element(0x0a, Buffer.from([code])), element(0x04), element(0x04));

/** Starts it on a free port; `entries` by the base that a search names, `null` where there is no such object. */
export async function startTestLdap(
  user: { dn: string; password: string },
  entries: Readonly<Record<string, readonly string[] | null>>,
  tls: { cert: string; key: string } | null = null,
): Promise<TestLdap> {
  const sockets = new Set<Socket>();
  function answer(message: Buffer): Buffer {
    const [id, operation] = partsOf(message);
    const reply = (body: Buffer) => element(MESSAGE, element(0x02, id?.value ?? Buffer.from([0])), body);
    const fields = partsOf(operation?.value ?? Buffer.alloc(0)).map(({ value }) => value.toString());
    if (operation?.tag === BIND) {
      const isRight = fields[1] === user.dn && fields[2] === user.password;
      return reply(result(0x61, isRight ? 0 : INVALID_CREDENTIALS));
    }
    if (operation?.tag !== SEARCH) return Buffer.alloc(0);
    const [base = ''] = fields;
    if (base === SILENT_BASE) return Buffer.alloc(0);
    if (entries[base] === null) return reply(result(0x65, NO_SUCH_OBJECT));
    const found = (entries[base] ?? []).map((dn) =>
      reply(element(0x64, element(0x04, Buffer.from(dn)), element(0x30))),
    );
    return Buffer.concat([...found, reply(result(0x65, 0))]);
  }
  const talk = (socket: Socket) => {
    let rest = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: Buffer) => {
      rest = Buffer.concat([rest, part]);
      // What is no message of LDAP is hung up on, as a directory does it.
      if (rest.length > 0 && rest[0] !== MESSAGE) {
        socket.destroy();
        return;
      }
      for (let message = partAt(rest, 0); message !== null; message = partAt(rest, 0)) {
        socket.write(answer(message.value));
        rest = rest.subarray(message.end);
      }
    });
  };
  const server = tls === null ? createServer(talk) : createTlsServer(tls, talk);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
