/** For tests only: bare repositories over HTTP by git itself, behind a name and a password. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const GIT_PASSWORD = 'the-token-of-the-git-server';
const WANTED = `Basic ${Buffer.from(`git:${GIT_PASSWORD}`).toString('base64')}`;
/** Nobody's own settings of git. */
const ENV = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
};

export interface ApiQuestion {
  method: string;
  path: string;
  authorization: string | undefined;
  body: string;
}

export interface GitServer {
  url: string;
  /** Method, path, and whether it was signed in. */
  asked: { method: string; path: string; authorization: string | undefined }[];
  /** Answers what is asked below /api/, as the service around it would. */
  api: (asked: ApiQuestion) => { status: number; body: unknown };
  /** Called when somebody asks what there is to fetch. */
  beforeFetch: () => void;
  /** Called before each push is taken. */
  beforePush: () => Promise<void>;
  /** Makes a repository at the path with these files on `main`, by name; `-> place` is a link. */
  add: (path: string, files: Record<string, string>) => Promise<void>;
  /** Runs git in the repository; answers what it writes. */
  git: (path: string, ...args: string[]) => Promise<string>;
  /** A commit by somebody else, on `main`. */
  commit: (path: string, file: string, content: string) => Promise<void>;
  close: () => Promise<void>;
}

/** The answer of a CGI program: headers, an empty line, the body. */
function passOn(output: Buffer, response: ServerResponse): void {
  const end = output.indexOf('\r\n\r\n');
  const headers = output
    .subarray(0, end)
    .toString()
    .split('\r\n')
    .map((line): [string, string] => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
  const { status = '200', ...rest } = Object.fromEntries(headers);
  response.writeHead(Number(status.slice(0, 3)), rest);
  response.end(output.subarray(end + 4));
}

function answer(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const program = spawn('git', ['http-backend'], {
    env: {
      ...ENV,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'git',
      REQUEST_METHOD: request.method ?? '',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const written: Buffer[] = [];
  program.stdout.on('data', (part: Buffer) => written.push(part));
  program.on('close', () => passOn(Buffer.concat(written), response));
  request.pipe(program.stdin);
}

function answerApi(server: GitServer, request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url: path = '', headers } = request;
    const question = {
      method,
      path,
      authorization: headers.authorization,
      body: Buffer.concat(chunks).toString(),
    };
    const { status, body } = server.api(question);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}

/** Repositories below the folder, changed by git itself. */
function repositoriesIn(root: string): Pick<GitServer, 'git' | 'add' | 'commit'> {
  const git = async (path: string, ...args: string[]) =>
    (await run('git', ['-C', join(root, path), ...args], { env: ENV })).stdout;
  const commitAll = async (work: string, path: string) => {
    const inWork = (...args: string[]) => run('git', ['-C', work, ...args], { env: ENV });
    await inWork('add', '-A');
    await inWork('commit', '-qm', 'by Ann');
    await inWork('push', '-q', join(root, path), 'HEAD:refs/heads/main');
    await rm(work, { recursive: true });
  };
  return {
    git,
    async add(path, files) {
      await run('git', ['init', '-q', '--bare', '-b', 'main', join(root, path)], { env: ENV });
      const work = await mkdtemp(join(tmpdir(), 'holdfast-git-work-'));
      await run('git', ['-C', work, 'init', '-q', '-b', 'main'], { env: ENV });
      for (const [name, content] of Object.entries(files)) {
        const file = join(work, name);
        await mkdir(dirname(file), { recursive: true });
        if (content.startsWith('-> ')) await symlink(content.slice(3), file);
        else await writeFile(file, content);
      }
      await commitAll(work, path);
    },
    async commit(path, file, content) {
      const work = await mkdtemp(join(tmpdir(), 'holdfast-git-work-'));
      await run('git', ['clone', '-q', join(root, path), work], { env: ENV });
      await writeFile(join(work, file), content);
      await commitAll(work, path);
    },
  };
}

/** Starts on a free port of 127.0.0.1. */
export async function startGitServer(): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'holdfast-git-server-'));
  const asked: GitServer['asked'] = [];
  const started: GitServer = {
    url: '',
    asked,
    ...repositoriesIn(root),
    api: () => ({ status: 404, body: {} }),
    beforeFetch: () => undefined,
    beforePush: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    asked.push({ method: request.method ?? '', path: request.url ?? '', authorization });
    if (request.url?.startsWith('/api/') === true) {
      answerApi(started, request, response);
      return;
    }
    if (authorization !== WANTED) {
      response.writeHead(401, { 'www-authenticate': 'Basic' }).end('who are you?');
      return;
    }
    const isPush = request.method === 'GET' && (request.url ?? '').includes('git-receive-pack');
    if (request.method === 'GET' && !isPush) started.beforeFetch();
    const isReady = isPush ? started.beforePush() : Promise.resolve();
    isReady.then(
      () => answer(root, request, response),
      (error: unknown) => response.destroy(error as Error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  started.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  started.close = async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await rm(root, { recursive: true, force: true });
  };
  return started;
}
