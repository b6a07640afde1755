/** Folders of other machines, by SFTP: the connection is made by the guard's address, files are listed and none is read. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FileEntryWithStats, SFTPWrapper } from 'ssh2';
import { AppError } from '../../../../src/contract/errors.ts';
import { judged, openSocket } from '../../kind/guarded-socket.ts';
import type { Probe } from '../../kind/probe.ts';
import { readValue } from '../../kind/secret-values.ts';
import { connectionOf } from '../../kind/service-place.ts';
import { namesMatching } from './bucket-place.ts';
import { MAX_FILES } from './folder-spec.ts';
import type { FileFacts, FolderSpec } from './folder-spec.ts';
import { trimEnd } from '../../../../src/lib/trim-end.ts';

const DEFAULT_PORT = 22;
const MAX_DEPTH = 20;

interface Place {
  host: string;
  port: number;
  username: string;
  password: string;
  privateKey: string;
}

/** `host`, `host:port` or `sftp://host:port` of a connection. */
function addressOf(address: string): { host: string; port: number | null } {
  const text = address.includes('://') ? address : `sftp://${address}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  return { host: url?.hostname ?? '', port: url === null || url.port === '' ? null : Number(url.port) };
}

async function placeOf({ sftpConnection = {} }: FolderSpec, at: Probe): Promise<Place> {
  const connection = await connectionOf(sftpConnection, at);
  const own = addressOf(sftpConnection.host || connection?.url || '');
  const toldPort = sftpConnection.port ?? Number(connection?.properties['port'] ?? 0);
  const read = async (value: (typeof sftpConnection)['password']) =>
    value === undefined ? '' : readValue(value, at);
  const place = {
    host: own.host,
    port: toldPort || own.port || DEFAULT_PORT,
    username: (await read(sftpConnection.username)) || (connection?.username ?? ''),
    password: (await read(sftpConnection.password)) || (connection?.password ?? ''),
    privateKey: (await read(sftpConnection.privateKey)) || (connection?.certificate ?? ''),
  };
  if (place.host === '')
    throw new AppError('invalid', 'sftpConnection.host: is required, or a connection that has one');
  if (place.username === '')
    throw new AppError('invalid', 'sftpConnection.username: is required, or a connection that has one');
  return place;
}

/** Whether a server's key is the one that was written down. */
function isKey(wanted: string, key: Buffer): boolean {
  const digest = createHash('sha256').update(key).digest();
  const told = Buffer.from(wanted.trim().replace(/^SHA256:/, ''), 'base64');
  return told.length === digest.length && timingSafeEqual(told, digest);
}

async function openSftp(spec: FolderSpec, at: Probe): Promise<{ sftp: SFTPWrapper; end: () => void }> {
  const { Client } = await import('ssh2');
  const place = await placeOf(spec, at);
  const sock = await openSocket(at, await judged(at, place.host, place.port));
  const client = new Client();
  const hostKey = spec.sftpConnection?.hostKey ?? '';
  let isOther = false;
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    client.on('error', (error) =>
      reject(isOther ? new AppError('network', "the server's key is another one than hostKey says") : error),
    );
    client.on('ready', () =>
      client.sftp((error, opened) => (error === undefined ? resolve(opened) : reject(error))),
    );
    client.connect({
      sock,
      username: place.username,
      ...(place.privateKey === '' ? { password: place.password } : { privateKey: place.privateKey }),
      readyTimeout: at.limitMs,
      hostVerifier: (key: Buffer) => {
        isOther = hostKey !== '' && !isKey(hostKey, key);
        return !isOther;
      },
    });
  });
  const end = () => {
    client.end();
    sock.destroy();
  };
  return { sftp, end };
}

const listed = (sftp: SFTPWrapper, path: string): Promise<FileEntryWithStats[]> =>
  new Promise((resolve, reject) => {
    sftp.readdir(path, (error, list) => {
      if (error === undefined) resolve(list);
      else reject(new AppError('network', `path: ${path}: ${error.message}`, { cause: error }));
    });
  });

const factsOf = (name: string, { attrs }: FileEntryWithStats): FileFacts => ({
  name,
  size: attrs.size,
  mode: `0${(attrs.mode & 0o777).toString(8)}`,
  modified: new Date(attrs.mtime * 1000).toISOString(),
  is_dir: attrs.isDirectory(),
});

/** The folder and the pattern inside it, with how deep that goes. */
function parted({ path: address, recursive = false }: FolderSpec) {
  const path = address.replace(/^sftp:\/\/[^/]*/i, '') || '/';
  const parts = path.split('/');
  const magic = parts.findIndex((part) => /[*?]/.test(part));
  if (magic < 0)
    return {
      folder: path.slice(0, 1) + trimEnd(path.slice(1), '/'),
      globs: [],
      depth: recursive ? MAX_DEPTH : 1,
    };
  const glob = parts.slice(magic).join('/');
  const depth = glob.includes('**') ? MAX_DEPTH : parts.length - magic;
  return { folder: parts.slice(0, magic).join('/') || '/', globs: [glob], depth };
}

/** Files and folders below the path. Links are not followed. Throws for more than can be judged. */
export async function listOverSftp(spec: FolderSpec, at: Probe): Promise<FileFacts[]> {
  const { folder, globs, depth } = parted(spec);
  const { sftp, end } = await openSftp(spec, at);
  try {
    const files: FileFacts[] = [];
    const walk = async (below: string, levels: number): Promise<void> => {
      at.signal.throwIfAborted();
      for (const entry of await listed(sftp, below === '' ? folder : `${folder}/${below}`)) {
        const name = below === '' ? entry.filename : `${below}/${entry.filename}`;
        files.push(factsOf(name, entry));
        if (files.length > MAX_FILES)
          throw new AppError('bad_payload', `path: more than ${MAX_FILES} files; name a folder of them`);
        if (entry.attrs.isDirectory() && levels > 1) await walk(name, levels - 1);
      }
    };
    await walk('', depth);
    return await namesMatching(files, globs, at);
  } finally {
    end();
  }
}
