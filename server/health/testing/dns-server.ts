/** For tests only: a DNS server on loopback that answers what it was given, or misbehaves as told. */
import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';

const TYPES = { A: 1, NS: 2, CNAME: 5, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33 } as const;
export type DnsType = keyof typeof TYPES;

export interface DnsRecord {
  name: string;
  type: DnsType;
  /** As in a zone file: `10 smtp.example.com.` */
  value: string;
}

export type DnsManner = 'answer' | 'silent' | 'garbage';

export interface TestDns {
  port: number;
  stop(): Promise<void>;
}

const bare = (name: string) => name.replace(/\.$/, '').toLowerCase();

function encodeName(name: string): Buffer {
  const parts = bare(name).split('.');
  return Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from([part.length]), Buffer.from(part)]),
    Buffer.from([0]),
  ]);
}

const uint16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);

function encodeIpv6(text: string): Buffer {
  const [head = '', tail = ''] = text.split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const [left, right] = [groups(head), groups(tail)];
  const all = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
  return Buffer.concat(all.map((group) => uint16(Number.parseInt(group, 16))));
}

function encodeValue(record: DnsRecord): Buffer {
  const words = record.value.split(' ');
  const numbers = (count: number) => words.slice(0, count).map((word) => uint16(Number(word)));
  switch (record.type) {
    case 'A':
      return Buffer.from(record.value.split('.').map(Number));
    case 'AAAA':
      return encodeIpv6(record.value);
    case 'MX':
      return Buffer.concat([...numbers(1), encodeName(words[1] ?? '')]);
    case 'SRV':
      return Buffer.concat([...numbers(3), encodeName(words[3] ?? '')]);
    case 'TXT': {
      const text = record.value.replaceAll('"', '');
      return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
    }
    case 'NS':
    case 'CNAME':
    case 'PTR':
      return encodeName(record.value);
  }
}

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const parts: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    parts.push(message.subarray(at + 1, at + 1 + length).toString());
    at += length + 1;
  }
  return { name: parts.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(message: Buffer, records: readonly DnsRecord[]): Buffer {
  const question = questionOf(message);
  const named = records.filter((record) => bare(record.name) === bare(question.name));
  const found = named.filter((record) => TYPES[record.type] === question.type);
  const answers = found.map((record) => {
    const value = encodeValue(record);
    // A pointer to the question's name, class IN, ten seconds to live.
    return Buffer.concat([
      Buffer.from([0xc0, 12]),
      uint16(question.type),
      Buffer.from([0, 1, 0, 0, 0, 10]),
      uint16(value.length),
      value,
    ]);
  });
  const noSuchName = named.length === 0 ? 3 : 0;
  const header = Buffer.concat([
    message.subarray(0, 2),
    Buffer.from([0x85, 0x80 | noSuchName]),
    uint16(1),
    uint16(found.length),
    uint16(0),
    uint16(0),
  ]);
  return Buffer.concat([header, message.subarray(12, question.end), ...answers]);
}

/** Starts it on a free UDP port. */
export async function startTestDns(
  records: readonly DnsRecord[],
  manner: DnsManner = 'answer',
): Promise<TestDns> {
  const socket: Socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    if (manner === 'silent') return;
    const answer = manner === 'garbage' ? Buffer.from('this is not dns') : answerTo(message, records);
    socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: socket.address().port,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
