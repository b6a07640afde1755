/** For tests only: a server that speaks as much of Redis's protocol (RESP2) as clients need to sign in and ask. */
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

export interface TestRedis {
  port: number;
  /** Commands in the order in which they came, names in upper case. */
  heard: string[][];
  stop: () => void;
}

interface Manner {
  password?: string;
  tls?: { cert: string; key: string };
  /** Instead of the answer to PING. */
  ping?: string;
}

/** The whole commands at the beginning of a text, and what is left of it. */
function commandsOf(text: string): { commands: string[][]; rest: string } {
  const commands: string[][] = [];
  let rest = text;
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(rest);
    if (head === null) return { commands, rest };
    let at = head[0].length;
    const words: string[] = [];
    for (let left = Number(head[1]); left > 0; left -= 1) {
      const length = /^\$(\d+)\r\n/.exec(rest.slice(at));
      if (length === null) return { commands, rest };
      at += length[0].length;
      const end = at + Number(length[1]);
      if (rest.length < end + 2) return { commands, rest };
      words.push(rest.slice(at, end));
      at = end + 2;
    }
    commands.push(words);
    rest = rest.slice(at);
  }
}

function answer(words: readonly string[], session: { isIn: boolean }, manner: Manner): string {
  const [name = '', ...values] = words;
  switch (name.toUpperCase()) {
    case 'HELLO':
      return '-NOPROTO this server speaks RESP2\r\n';
    case 'AUTH':
      session.isIn = values.at(-1) === manner.password;
      return session.isIn ? '+OK\r\n' : '-WRONGPASS invalid username-password pair or user is disabled.\r\n';
    case 'PING':
      if (!session.isIn) return '-NOAUTH Authentication required.\r\n';
      return manner.ping ?? '+PONG\r\n';
    default:
      return session.isIn || name.toUpperCase() === 'CLIENT'
        ? '+OK\r\n'
        : '-NOAUTH Authentication required.\r\n';
  }
}

/** Starts it on a free port. */
export async function startTestRedis(manner: Manner = {}): Promise<TestRedis> {
  const heard: string[][] = [];
  const sockets = new Set<Socket>();
  const talk = (socket: Socket) => {
    const session = { isIn: manner.password === undefined };
    let rest = '';
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: Buffer) => {
      const read = commandsOf(rest + part.toString('latin1'));
      rest = read.rest;
      for (const words of read.commands) {
        heard.push([(words[0] ?? '').toUpperCase(), ...words.slice(1)]);
        socket.write(answer(words, session, manner));
      }
    });
  };
  const server: Server = manner.tls === undefined ? createServer(talk) : createTlsServer(manner.tls, talk);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
