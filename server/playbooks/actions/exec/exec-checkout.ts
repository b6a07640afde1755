/** The repository whose files a script begins in: fetched by our own client through the guard; the script gets no credentials. */
import { join, posix } from 'node:path';
import { AppError } from '../../../../src/contract/errors.ts';
import { checkOutInThread, withoutFieldNames } from '../gitops/repository-thread.ts';
import { repositoryAccess, repositoryTarget } from '../gitops/repository-target.ts';
import type { RepositoryPlace } from '../gitops/repository-target.ts';
import type { ActionContext } from '../action-kind.ts';

const FIELD = 'exec.checkout';
const FOLDER = 'checkout';

/** With its templates filled. */
export interface Checkout extends RepositoryPlace {
  /** A branch, a tag or the id of a commit; '' for the branch that the repository calls its default. */
  branch: string;
  /** Where in the script's folder the files are. */
  destination: string;
  /** Of the authority that the server's certificate is from, in PEM; '' for those that are known. */
  certificate: string;
}

/** The folder below the script's own. Throws `invalid` for one that leads out of it. */
export function checkoutFolder(destination: string): string {
  const path = posix.normalize(destination || FOLDER).replace(/\/+$/, '');
  if (path === '.' || path.startsWith('..') || path.startsWith('/'))
    throw new AppError('invalid', `${FIELD}.destination: "${destination}" leads out of the script's folder`);
  return path;
}

/** Fetches the files; answers the folder that the script begins in. */
export async function checkedOut(
  checkout: Checkout,
  folder: string,
  context: ActionContext,
): Promise<string> {
  const { branch, certificate } = checkout;
  const startIn = checkoutFolder(checkout.destination);
  const target = await repositoryTarget(FIELD, checkout, context);
  const access = { ...repositoryAccess(target), ca: certificate === '' ? undefined : certificate };
  const job = { url: target.url.href, dir: join(folder, startIn), ref: branch === '' ? null : branch };
  const { commit } = await checkOutInThread(job, access, context).catch((error: unknown) => {
    const told = withoutFieldNames(error);
    if (told instanceof AppError)
      throw new AppError(told.code, `${FIELD}: ${told.message}`, { cause: error });
    throw told;
  });
  context.output('stderr', `checked out ${target.url.host}${target.url.pathname} at ${commit}\n`);
  return startIn;
}
