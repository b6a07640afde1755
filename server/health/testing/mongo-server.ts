/** For tests only: a server that speaks as much of MongoDB's protocol as its client needs to sign in and ask. */
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { BSON } from 'mongodb';

export interface TestMongo {
  port: number;
  stop: () => void;
}

interface Manner {
  user?: { name: string; password: string };
  isPrimary?: boolean;
}

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const ITERATIONS = 4096;
const SALT = Buffer.from('a salt of sixteen');

type Command = Record<string, unknown>;
interface Session {
  isIn: boolean;
  /** client-first-bare and server-first of the exchange that goes on. */
  first: string;
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const payloadOf = (command: Command) => String(Buffer.from((command['payload'] as BSON.Binary).buffer));

/** SCRAM-SHA-256 from the server's side (RFC 5802, RFC 7677). */
function startSignIn(command: Command, session: Session): Command {
  const bare = payloadOf(command).replace(/^n,[^,]*,/, '');
  const nonce = `${/r=([^,]*)/.exec(bare)?.[1] ?? ''}server`;
  const first = `r=${nonce},s=${SALT.toString('base64')},i=${ITERATIONS}`;
  session.first = `${bare},${first}`;
  return { conversationId: 1, done: false, payload: new BSON.Binary(Buffer.from(first)), ok: 1 };
}

function endSignIn(command: Command, session: Session, password: string): Command {
  const text = payloadOf(command);
  const withoutProof = text.replace(/,p=.*$/, '');
  const proof = Buffer.from(/,p=(.*)$/.exec(text)?.[1] ?? '', 'base64');
  const salted = pbkdf2Sync(password, SALT, ITERATIONS, 32, 'sha256');
  const clientKey = hmac(salted, 'Client Key');
  const signature = hmac(createHash('sha256').update(clientKey).digest(), `${session.first},${withoutProof}`);
  const expected = Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] ?? 0)));
  if (!expected.equals(proof))
    return { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' };
  session.isIn = true;
  const last = `v=${hmac(hmac(salted, 'Server Key'), `${session.first},${withoutProof}`).toString('base64')}`;
  return { conversationId: 1, done: true, payload: new BSON.Binary(Buffer.from(last)), ok: 1 };
}

function answerTo(command: Command, session: Session, manner: Manner): Command {
  const [name = ''] = Object.keys(command);
  switch (name.toLowerCase()) {
    case 'hello':
    case 'ismaster': {
      const isPrimary = manner.isPrimary ?? true;
      const facts = {
        maxBsonObjectSize: 16_777_216,
        maxMessageSizeBytes: 48_000_000,
        maxWriteBatchSize: 100_000,
      };
      const role = {
        helloOk: true,
        isWritablePrimary: isPrimary,
        ismaster: isPrimary,
        setName: 'rs',
        secondary: !isPrimary,
      };
      return { ...role, ...facts, minWireVersion: 0, maxWireVersion: 21, hosts: ['127.0.0.1:1'], ok: 1 };
    }
    case 'saslstart':
      return startSignIn(command, session);
    case 'saslcontinue':
      return endSignIn(command, session, manner.user?.password ?? '');
    default:
      return session.isIn
        ? { ok: 1 }
        : { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'requires authentication' };
  }
}

function framed(opcode: number, requestId: number, body: Buffer): Buffer {
  const header = Buffer.alloc(16);
  for (const [at, value] of [16 + body.length, 1, requestId, opcode].entries())
    header.writeInt32LE(value, at * 4);
  return Buffer.concat([header, body]);
}

function replyTo(message: Buffer, session: Session, manner: Manner): Buffer {
  const requestId = message.readInt32LE(4);
  if (message.readInt32LE(12) === OP_QUERY) {
    const afterName = message.indexOf(0, 20) + 1;
    const found = BSON.deserialize(message.subarray(afterName + 8));
    const reply = Buffer.from(BSON.serialize(answerTo(found, session, manner)));
    const head = Buffer.alloc(20);
    head.writeInt32LE(1, 16);
    return framed(OP_REPLY, requestId, Buffer.concat([head, reply]));
  }
  const command = BSON.deserialize(message.subarray(21), { promoteBuffers: false });
  const reply = Buffer.from(BSON.serialize(answerTo(command, session, manner)));
  return framed(OP_MSG, requestId, Buffer.concat([Buffer.alloc(5), reply]));
}

/** Starts it on a free port. */
export async function startTestMongo(manner: Manner = {}): Promise<TestMongo> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const session: Session = { isIn: manner.user === undefined, first: '' };
    let rest = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: Buffer) => {
      rest = Buffer.concat([rest, part]);
      while (rest.length >= 16 && rest.length >= rest.readInt32LE(0)) {
        const length = rest.readInt32LE(0);
        socket.write(replyTo(rest.subarray(0, length), session, manner));
        rest = rest.subarray(length);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
