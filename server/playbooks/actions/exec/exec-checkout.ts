/** The repository whose files a script begins in: fetched by our own client through the guard; the script gets no credentials. */
import { join } from 'node:path';
import { AppError } from '../../../../src/contract/errors.ts';
import { checkOutInThread, withoutFieldNames } from '../gitops/repository-thread.ts';
import { checkoutFolder } from '../gitops/repository-text.ts';
import { repositoryAccess, repositoryTarget } from '../gitops/repository-target.ts';
import type { RepositoryPlace } from '../gitops/repository-target.ts';
import type { ActionContext } from '../action-kind.ts';

/** As messages name it. */
export const CHECKOUT_FIELD = 'exec.checkout';

/** With its templates filled. */
export interface Checkout extends RepositoryPlace {
  /** A branch, a tag or the id of a commit; '' for the branch that the repository calls its default. */
  branch: string;
  /** Where in the script's folder the files are. */
  destination: string;
  /** Of the authority that the server's certificate is from, in PEM; '' for those that are known. */
  certificate: string;
}

export interface CheckedOut {
  /** The folder that the script begins in. */
  startIn: string;
  /** Without credentials. */
  git: { url: string; branch: string | null; commit: string };
}

/** Fetches the files. */
export async function checkedOut(
  checkout: Checkout,
  folder: string,
  context: ActionContext,
): Promise<CheckedOut> {
  const { branch, certificate } = checkout;
  const startIn = checkoutFolder(CHECKOUT_FIELD, checkout.destination);
  const target = await repositoryTarget(CHECKOUT_FIELD, checkout, context);
  const access = { ...repositoryAccess(target), ca: certificate === '' ? undefined : certificate };
  const job = { url: target.url.href, dir: join(folder, startIn), ref: branch === '' ? null : branch };
  const { commit } = await checkOutInThread(job, access, context).catch((error: unknown) => {
    const told = withoutFieldNames(error);
    if (told instanceof AppError)
      throw new AppError(told.code, `${CHECKOUT_FIELD}: ${told.message}`, { cause: error });
    throw told;
  });
  context.output('stderr', `checked out ${target.url.host}${target.url.pathname} at ${commit}\n`);
  const url = `${target.url.origin}${target.url.pathname}`;
  return { startIn, git: { url, branch: branch === '' ? null : branch, commit } };
}
