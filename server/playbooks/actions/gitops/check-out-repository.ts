/** Fetches one commit with its files; knows no credentials. */
import fs from 'node:fs';
import { addRemote, checkout, fetch, init, readCommit } from 'isomorphic-git';
import type { CheckoutJob, RepositoryHost } from './repository-job.ts';
import { clientOf } from './update-repository.ts';

const COMMIT_ID = /^[0-9a-f]{40}$/i;
const REMOTE = 'origin';

/**
 * Answers the commit. One that is named by its id comes with the history of all branches: it can't be asked for by itself.
 * Throws isomorphic-git's errors.
 */
export async function checkOutRepository(
  { url, dir, ref }: CheckoutJob,
  host: RepositoryHost,
): Promise<{ commit: string }> {
  await init({ fs, dir });
  await addRemote({ fs, dir, remote: REMOTE, url });
  const from = { fs, http: clientOf(host), dir, remote: REMOTE };
  const isCommit = ref !== null && COMMIT_ID.test(ref);
  const { fetchHead } = await fetch(
    isCommit ? from : { ...from, singleBranch: true, depth: 1, ...(ref === null ? {} : { ref }) },
  );
  const wanted = isCommit ? ref.toLowerCase() : fetchHead;
  if (wanted === null) throw new Error('the repository is empty');
  const { oid: commit } = await readCommit({ fs, dir, oid: wanted });
  await checkout({ fs, dir, ref: commit });
  return { commit };
}
