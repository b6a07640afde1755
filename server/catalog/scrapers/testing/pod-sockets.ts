/** For tests only: the WebSocket side of a cluster's exec, which answers commands from a function. */
import { createHash } from 'node:crypto';
import type { Server } from 'node:net';
import type { Duplex } from 'node:stream';

export interface PodAnswer {
  stdout?: string;
  stderr?: string;
  /** Frames as they are, before the rest: for servers that misbehave. */
  frames?: readonly Buffer[];
  /** Null ends the connection without a status. */
  status: { status: string; message?: string } | null;
  /** Goes on until the other side ends it. */
  isHeld?: boolean;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A close with 1000, as a real server says that all was well. */
const NORMAL_END = Buffer.from([0x88, 2, 0x03, 0xe8]);

function frame(payload: Buffer): Buffer {
  if (payload.length < 126) return Buffer.concat([Buffer.from([0x82, payload.length]), payload]);
  const head = Buffer.alloc(4);
  head.writeUInt8(0x82, 0);
  head.writeUInt8(126, 1);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

const channel = (number: number, text: string): Buffer =>
  frame(Buffer.concat([Buffer.from([number]), Buffer.from(text)]));

/** Answers upgrades on the server; what was asked is kept. */
export function answerPods(
  server: Server,
  answer: (url: URL, authorization: string | undefined) => PodAnswer | null,
): { asked: URL[] } {
  const asked: URL[] = [];
  server.on('upgrade', (request: { url?: string; headers: Record<string, string> }, socket: Duplex) => {
    if (request.headers['upgrade']?.toLowerCase() !== 'websocket') return;
    const url = new URL(request.url ?? '/', 'https://cluster');
    asked.push(url);
    const given = answer(url, request.headers['authorization']);
    if (given === null) {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const key = createHash('sha1')
      .update(`${request.headers['sec-websocket-key'] ?? ''}${GUID}`)
      .digest('base64');
    const [protocol = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(', ');
    const head = `upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${key}\r\nsec-websocket-protocol: ${protocol}`;
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${head}\r\n\r\n`);
    for (const raw of given.frames ?? []) socket.write(frame(raw));
    if (given.stdout !== undefined) socket.write(channel(1, given.stdout));
    if (given.stderr !== undefined) socket.write(channel(2, given.stderr));
    if (given.status !== null) socket.write(channel(3, JSON.stringify(given.status)));
    if (given.isHeld !== true) socket.end(NORMAL_END);
  });
  return { asked };
}
