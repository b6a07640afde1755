/** The files of a repository: one commit is fetched into a folder of its own, which goes with the scrape. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileEntry } from '../../../../../src/contract/specs/scraper-spec.ts';
import { AppError } from '../../../../../src/contract/errors.ts';
import { signInWith } from '../../../../connections/secret-scope.ts';
import { makeWorkFolder } from '../../../../platform/exec/work-folder.ts';
import type { ScrapeConnection, ScrapeContext, ScrapeOutput } from '../../specs/scraped.ts';
import { readFolder, wantedGlobs } from './read-folder.ts';
import type { RepositoryAddress } from './repository-address.ts';

/** Services that take tokens ask for any name beside them. */
const TOKEN_USER = 'git';

interface Repository {
  address: RepositoryAddress;
  connection: ScrapeConnection | null;
}

function basicOf(connection: ScrapeConnection | null): string | null {
  if (connection === null) return null;
  const { username, password } = signInWith(connection);
  if (username === '' && password === '') return null;
  return `Basic ${Buffer.from(`${username || TOKEN_USER}:${password}`).toString('base64')}`;
}

/** Throws an AppError where the repository can't be fetched; what is wrong with a file is told beside the others. */
export async function readRepository(
  entry: FileEntry,
  { address, connection }: Repository,
  context: ScrapeContext,
): Promise<ScrapeOutput> {
  const { url, ref, name, folder } = address;
  const root = await makeWorkFolder('scrape');
  const dir = join(root, 'files');
  const place = { name: 'the repository', within: dir };
  try {
    wantedGlobs(entry, place);
    const commit = {
      url,
      dir,
      ref,
      authorization: basicOf(connection),
      isInsecureTls: connection?.insecureTls === true,
    };
    await context.checkOut(commit, context).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, `url: ${name}: ${error.message}`, { cause: error });
    });
    const sourceOf = (file: string) => [name, folder, file].filter((part) => part !== '').join('/');
    return await readFolder(entry, { ...place, path: join(dir, folder), sourceOf }, context);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
