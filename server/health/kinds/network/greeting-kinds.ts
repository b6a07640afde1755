/** ssh, imap: what a service of lines says when it is called, and whether it lets somebody in. */
import type { Socket } from 'node:net';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { judged, openSocket, openTls, readLines } from '../../kind/guarded-socket.ts';
import type { LineReader } from '../../kind/guarded-socket.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { agreeOnTls, placeUrl, servicePlace, signInAt } from '../../kind/service-place.ts';
import { common, connection, limits, namesPlace, required, tlsSchema } from '../../kind/spec-fields.ts';
import { endpointOf } from './endpoint.ts';

const sshSchema = z.strictObject({ ...common, ...limits, endpoint: required });
type SshSpec = z.output<typeof sshSchema>;

const SSH_PORT = 22;
const IMAP_PORT = 143;
const IMAPS_PORT = 993;
/** A server may say other lines before its version (RFC 4253, 4.2). */
const MAX_LINES = 50;

async function sshVersion(lines: LineReader): Promise<string> {
  for (let read = 0; read < MAX_LINES; read += 1) {
    const line = await lines.next();
    if (line.startsWith('SSH-')) return line;
  }
  throw new AppError('network', 'the service did not say a version of SSH');
}

function runSsh(spec: SshSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const { host, port } = endpointOf(spec.endpoint, SSH_PORT);
    const socket = await openSocket(at, await judged(at, host, port));
    try {
      const banner = await sshVersion(readLines(socket));
      const [, protocol = '', software = ''] = /^SSH-([^-]+)-(.*)$/.exec(banner) ?? [];
      const error = protocol === '2.0' || protocol === '1.99' ? null : `it speaks SSH ${protocol}, not 2.0`;
      return { data: { results: { banner, protocol, software } }, error, message: banner };
    } finally {
      socket.destroy();
    }
  });
}

/** An SSH server that answers; nobody signs in. */
export const sshKind = registeredKind({
  key: 'ssh',
  title: 'SSH',
  needs: 'nothing',
  testedAgainst: 'stand-in',
  example: {
    name: 'bastion',
    endpoint: 'bastion.example.com:22',
    test: { expr: "results.software.startsWith('OpenSSH')" },
  },
  schema: sshSchema,
  run: runSsh,
});

const imapSchema = z
  .strictObject({
    ...common,
    ...connection,
    ...limits,
    startTLS: z.boolean().optional(),
    tlsConfig: tlsSchema.optional(),
  })
  .refine(namesPlace(['url', 'connection']), { path: ['url'], message: 'is required' });
type ImapSpec = z.output<typeof imapSchema>;

/** In the quotes of RFC 3501; what can't stand in them is refused. */
function quoted(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new AppError('invalid', 'username, password: may have no line breaks');
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

interface Talk {
  socket: Socket;
  lines: LineReader;
}

/** One command; its untagged lines, or what was said instead of OK. */
async function command({ socket, lines }: Talk, tag: string, text: string): Promise<string[]> {
  socket.write(`${tag} ${text}\r\n`);
  const said: string[] = [];
  for (;;) {
    const line = await lines.next();
    if (!line.startsWith(`${tag} `)) {
      said.push(line);
      continue;
    }
    if (/^\S+ OK\b/i.test(line)) return said;
    throw new AppError(
      'network',
      `${text.split(' ')[0] ?? ''} was answered with ${line.slice(tag.length + 1)}`,
    );
  }
}

function runImap(spec: ImapSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const service = await servicePlace(spec, context);
    const url = placeUrl(service.address, ['imaps', 'imap']);
    const isSecure = url.protocol === 'imaps:';
    const place = await judged(at, url.hostname, Number(url.port || (isSecure ? IMAPS_PORT : IMAP_PORT)));
    const { tls } = service;
    agreeOnTls(service.wantsTls, isSecure || spec.startTLS === true);
    const open = async (): Promise<Socket> =>
      isSecure ? openTls(at, place, { tls }) : openSocket(at, place);
    let socket = await open();
    try {
      let talk = { socket, lines: readLines(socket) };
      const greeting = await talk.lines.next();
      if (!/^\* (OK|PREAUTH)\b/i.test(greeting)) throw new AppError('network', `it greets with ${greeting}`);
      if (spec.startTLS === true && !isSecure) {
        await command(talk, 'a1', 'STARTTLS');
        socket = await openTls(at, place, { tls, socket });
        talk = { socket, lines: readLines(socket) };
      }
      const capabilities = (await command(talk, 'a2', 'CAPABILITY'))
        .join(' ')
        .replace(/^\* CAPABILITY /i, '');
      const { username, password } = signInAt(url, service);
      if (username !== '') await command(talk, 'a3', `LOGIN ${quoted(username)} ${quoted(password)}`);
      await command(talk, 'a4', 'LOGOUT');
      return {
        data: { results: { greeting, capabilities: capabilities.split(' '), isSignedIn: username !== '' } },
      };
    } finally {
      socket.destroy();
    }
  });
}

/** A mailbox server that greets, and lets somebody in. */
export const imapKind = registeredKind({
  key: 'imap',
  title: 'IMAP',
  needs: 'nothing',
  testedAgainst: 'stand-in',
  example: {
    name: 'mailbox',
    url: 'imaps://imap.example.com',
    username: { value: 'monitor@example.com' },
    password: { valueFrom: { secretKeyRef: { name: 'mail', key: 'password' } } },
  },
  schema: imapSchema,
  run: runImap,
});
