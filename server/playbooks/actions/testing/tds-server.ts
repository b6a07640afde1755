/**
 * For tests only: as much of SQL Server's protocol (TDS 7.4, without TLS) as one statement needs. No SQL is understood:
 * it answers each statement with its text and the values of its parameters, as they came in.
 */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export const TDS_PASSWORD = 'a password for tests';

export interface TdsServer {
  /** With user, password and database. */
  url: string;
  /** Statements that came to be run. */
  asked: string[];
  /** Statements that were told to stop. */
  stopped: string[];
  /** Says nothing to whoever connects. */
  isSilent: boolean;
  close: () => Promise<void>;
}

const PRELOGIN = 0x12;
const LOGIN = 0x10;
const BATCH = 0x01;
const CALL = 0x03;
const ATTENTION = 0x06;
const ANSWER = 0x04;
const HEADER_BYTES = 8;
const PACKET_BYTES = 4000;
const NVARCHAR = 0xe7;
const LONG_VALUE = 0xffff;
const COLLATION = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);

const ucs2 = (text: string) => Buffer.from(text, 'utf16le');
const word = (value: number) => Buffer.from([value & 0xff, value >> 8]);
const named = (text: string) => Buffer.concat([Buffer.from([text.length]), ucs2(text)]);
const counted = (text: string) => Buffer.concat([word(text.length), ucs2(text)]);

function done(status: number, count: number): Buffer {
  const token = Buffer.alloc(13);
  token.writeUInt8(0xfd, 0);
  token.writeUInt16LE(status, 1);
  token.writeBigUInt64LE(BigInt(count), 5);
  return token;
}
const DONE = 0x00;
const DONE_COUNTED = 0x10;
const DONE_ERROR = 0x02;
const DONE_ATTENTION = 0x20;

function refusal(message: string): Buffer {
  const facts = [Buffer.from([0x14, 0x48, 0, 0, 1, 14]), counted(message), named('stand-in'), named('')];
  const body = Buffer.concat([...facts, Buffer.alloc(4)]);
  return Buffer.concat([Buffer.from([0xaa]), word(body.length), body, done(DONE_ERROR, 0)]);
}

function welcome(): Buffer {
  const body = Buffer.concat([
    Buffer.from([1, 0x74, 0, 0, 0x04]),
    named('Microsoft SQL Server'),
    Buffer.from([16, 0, 0, 0]),
  ]);
  return Buffer.concat([Buffer.from([0xad]), word(body.length), body, done(DONE, 0)]);
}

/** So many rows of the same texts. */
function table(columns: Readonly<Record<string, string>>, count: number): Buffer {
  const names = Object.keys(columns);
  const text = Buffer.concat([Buffer.from([NVARCHAR]), word(8000), COLLATION]);
  const head = names.map((name) => Buffer.concat([Buffer.alloc(4), word(0), text, named(name)]));
  const row = Object.values(columns).map((value) => Buffer.concat([word(value.length * 2), ucs2(value)]));
  return Buffer.concat([
    Buffer.from([0x81]),
    word(names.length),
    ...head,
    ...Array.from({ length: count }, () => [Buffer.from([0xd1]), ...row]).flat(),
  ]);
}

// Where the version and the word on encryption are; then both: 16.0, and that there is none.
const PRELOGIN_ANSWER = Buffer.from('00000b00060100110001ff10000000000002', 'hex');

/** The password of a login, whose bytes are mixed up on the way. */
function passwordOf(body: Buffer): string {
  const at = body.readUInt16LE(44);
  const bytes = body.subarray(at, at + body.readUInt16LE(46) * 2);
  return Buffer.from(bytes.map((byte) => (((byte ^ 0xa5) << 4) & 0xf0) | ((byte ^ 0xa5) >> 4))).toString(
    'utf16le',
  );
}

/** A value at that place of the message, and where it ends. A long one comes in parts, the last of which is empty. */
function valueAt(body: Buffer, start: number, isLong: boolean): { text: string; end: number } {
  if (!isLong) {
    const end = start + 2 + body.readUInt16LE(start);
    return { text: body.toString('utf16le', start + 2, end), end };
  }
  const parts: Buffer[] = [];
  // Behind the length of the whole.
  let at = start + 8;
  for (let bytes = body.readUInt32LE(at); bytes > 0; bytes = body.readUInt32LE(at)) {
    parts.push(body.subarray(at + 4, at + 4 + bytes));
    at += 4 + bytes;
  }
  return { text: Buffer.concat(parts).toString('utf16le'), end: at + 4 };
}

/** The texts that a call of sp_executesql has: its statement, the names of its parameters, their values. */
function textsOf(body: Buffer): string[] {
  const texts: string[] = [];
  // The headers, the number of the procedure, its options.
  let at = body.readUInt32LE(0) + 6;
  while (at < body.length) {
    at += 1 + body.readUInt8(at) * 2 + 1;
    if (body.readUInt8(at) !== NVARCHAR) throw new Error(`a parameter of the type ${body.readUInt8(at)}`);
    const isLong = body.readUInt16LE(at + 1) === LONG_VALUE;
    const { text, end } = valueAt(body, at + 3 + COLLATION.length, isLong);
    texts.push(text);
    at = end;
  }
  return texts;
}

/** In packets; `isWhole`: nothing more belongs to it. */
function send(socket: Socket, body: Buffer, isWhole = true): void {
  for (let at = 0; at < body.length; at += PACKET_BYTES) {
    const part = body.subarray(at, at + PACKET_BYTES);
    const isLast = isWhole && at + PACKET_BYTES >= body.length;
    const header = Buffer.from([ANSWER, isLast ? 1 : 0, 0, 0, 0, 0, 1, 0]);
    header.writeUInt16BE(part.length + HEADER_BYTES, 2);
    socket.write(Buffer.concat([header, part]));
  }
}

class Session {
  private readonly socket: Socket;
  private readonly server: TdsServer;
  private open = Buffer.alloc(0);
  private message = Buffer.alloc(0);
  private running = '';

  constructor(socket: Socket, server: TdsServer) {
    this.socket = socket;
    this.server = server;
  }

  take(part: Buffer): void {
    this.open = Buffer.concat([this.open, part]);
    while (this.open.length >= HEADER_BYTES && this.open.length >= this.open.readUInt16BE(2)) {
      const bytes = this.open.readUInt16BE(2);
      const [type = 0, status = 0] = this.open;
      this.message = Buffer.concat([this.message, this.open.subarray(HEADER_BYTES, bytes)]);
      this.open = this.open.subarray(bytes);
      if ((status & 1) === 0) continue;
      const whole = this.message;
      this.message = Buffer.alloc(0);
      this.answer(type, whole);
    }
  }

  private answer(type: number, body: Buffer): void {
    if (type === PRELOGIN) send(this.socket, PRELOGIN_ANSWER);
    else if (type === LOGIN)
      send(
        this.socket,
        passwordOf(body) === TDS_PASSWORD ? welcome() : refusal("Login failed for user 'runner'."),
      );
    else if (type === BATCH) send(this.socket, done(DONE, 0));
    else if (type === ATTENTION) {
      this.server.stopped.push(this.running);
      // What was begun ends first.
      send(this.socket, done(DONE_ERROR, 0));
      send(this.socket, done(DONE_ATTENTION, 0));
    } else if (type === CALL) this.run(textsOf(body));
  }

  private run([statement = '', , ...values]: string[]): void {
    this.running = statement;
    this.server.asked.push(statement);
    if (statement.includes('waitfor')) return;
    if (statement.includes('nowhere')) send(this.socket, refusal("Invalid object name 'nowhere'."));
    else {
      const count = rowsOf(statement);
      const rows = table({ statement, values: JSON.stringify(values) }, count);
      // An endless one goes on until it is told to stop.
      if (statement.includes('endless')) send(this.socket, rows, false);
      else send(this.socket, Buffer.concat([rows, done(DONE_COUNTED, count)]));
    }
  }
}

/** As many as the statement asks for in `top`; one unless it does. */
const rowsOf = (statement: string): number => Number(/\btop (\d+)/.exec(statement)?.[1] ?? 1);

/** Starts on a free port of 127.0.0.1. */
export async function startTdsServer(): Promise<TdsServer> {
  const sockets = new Set<Socket>();
  const started: TdsServer = {
    url: '',
    asked: [],
    stopped: [],
    isSilent: false,
    close: () => Promise.resolve(),
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Its caller may be gone at any time.
    socket.on('error', () => undefined);
    if (started.isSilent) return;
    const session = new Session(socket, started);
    socket.on('data', (part) => session.take(part));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  started.url = `sqlserver://runner:${encodeURIComponent(TDS_PASSWORD)}@127.0.0.1:${port}/shop`;
  started.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return started;
}
