/** Fetches one commit with its files, without the history; knows no credentials. */
import fs from 'node:fs';
import { clone, resolveRef } from 'isomorphic-git';
import type { CheckoutJob, RepositoryHost } from './repository-job.ts';
import { clientOf } from './update-repository.ts';

/** Answers the commit. Throws isomorphic-git's errors. */
export async function checkOutRepository(
  { url, dir, ref }: CheckoutJob,
  host: RepositoryHost,
): Promise<{ commit: string }> {
  await clone({
    fs,
    http: clientOf(host),
    dir,
    url,
    singleBranch: true,
    depth: 1,
    noTags: true,
    ...(ref === null ? {} : { ref }),
  });
  return { commit: await resolveRef({ fs, dir, ref: 'HEAD' }) };
}
