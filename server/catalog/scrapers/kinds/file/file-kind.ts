/**
 * file: files of local folders, of a repository, or one that is fetched. Operators' paths start from SCRAPERS_DIR and may
 * lead anywhere; a user's stay below the folder that is given to users, whatever symbolic links say.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import type { FileEntry } from '../../../../../src/contract/specs/scraper-spec.ts';
import { addressBeside, signInWith } from '../../../../connections/secret-scope.ts';
import { requestThroughGuard } from '../../../../platform/egress/egress-http.ts';
import type { ScrapeConnection, ScrapeContext, ScrapeOutput, ScraperKind } from '../../specs/scraped.ts';
import { documentsOf, globsOf, MAX_FILE_BYTES, readFolder, USERS_FOLDER } from './read-folder.ts';
import { repositoryAddress } from './repository-address.ts';
import { readRepository } from './read-repository.ts';

const FETCH_LIMIT_MS = 60_000;
const REDIRECTS = 5;

const NO_FOLDER = `paths: files are read below ${USERS_FOLDER}, and this server was started without SCRAPERS_DIR`;

async function fromFolder(entry: FileEntry, context: ScrapeContext): Promise<ScrapeOutput> {
  const { baseFolder: path, trust } = context;
  if (globsOf(entry).length > 0 && path === '') throw new AppError('forbidden', NO_FOLDER);
  const folder = {
    path,
    name: USERS_FOLDER,
    within: trust === 'user' ? path : null,
    sourceOf: (file: string) => file,
  };
  return readFolder(entry, folder, context);
}

function basicOf(connection: ScrapeConnection | null): Record<string, string> {
  if (connection === null) return {};
  const { username, password } = signInWith(connection);
  if (username === '' && password === '') return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

async function connectionOf({ connection: name }: FileEntry, context: ScrapeContext) {
  const connection = name === undefined ? null : await context.connection(name);
  if (name !== undefined && connection === null)
    throw new AppError('invalid', `connection: ${name} was not found`);
  return connection;
}

async function fromUrl(text: string, entry: FileEntry, context: ScrapeContext): Promise<ScrapeOutput> {
  const connection = await connectionOf(entry, context);
  const url =
    connection !== null
      ? addressBeside(connection, text, context.author)
      : URL.canParse(text)
        ? new URL(text)
        : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new AppError('invalid', `url: "${text}" is not an http:// or https:// URL`);
  if (globsOf(entry).length > 0)
    throw new AppError('invalid', 'paths: a url is one file; give either url or paths');
  const answer = await requestThroughGuard(context.guard, context.trust, {
    signal: context.signal,
    request: {
      method: 'GET',
      url,
      headers: { 'user-agent': 'holdfast', accept: '*/*', ...basicOf(connection) },
      body: null,
      timeoutMs: FETCH_LIMIT_MS,
      maxRedirects: REDIRECTS,
      maxBodyBytes: MAX_FILE_BYTES,
      tls: { isInsecure: connection?.insecureTls },
    },
  });
  if (answer.statusCode < 200 || answer.statusCode > 299)
    throw new AppError('network', `url: ${url.host} answered ${answer.statusCode}`);
  if (answer.isBodyCut) throw new AppError('invalid', `url: the file is larger than ${MAX_FILE_BYTES} bytes`);
  const source = `${url.origin}${url.pathname}`;
  const documents = await documentsOf({ source, text: answer.body.toString('utf8') }, entry, context.signal);
  return { documents, changes: [], analyses: [], errors: [], isComplete: true };
}

async function scrape(entry: FileEntry, context: ScrapeContext): Promise<ScrapeOutput> {
  const { url = '', connection } = entry;
  if (url === '' && connection === undefined) return fromFolder(entry, context);
  const address = repositoryAddress(url);
  if (address === null) return fromUrl(url, entry, context);
  return readRepository(entry, { address, connection: await connectionOf(entry, context) }, context);
}

export const fileKind: ScraperKind<FileEntry> = { kind: 'file', scrape };
