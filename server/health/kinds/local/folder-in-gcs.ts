/** Folders in Google Cloud Storage: the objects below `gcs://bucket/folder`, or those that a pattern in it means (schema §4.1). */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import type { Probe } from '../../kind/probe.ts';
import { openGoogle } from '../cloud/google-access.ts';
import { MAX_FILES } from './folder-spec.ts';
import type { FileFacts, FolderSpec } from './folder-spec.ts';
import { bucketPlace, namesMatching } from './bucket-place.ts';

/** Whether its path leads there. */
export const isInGcs = ({ path }: FolderSpec): boolean => /^gcs:\/\//i.test(path);

/** Why it can't be listed, or null. */
export function gcsNotRun({ gcpConnection }: FolderSpec): string | null {
  return gcpConnection?.credentials !== undefined || (gcpConnection?.connection ?? '') !== ''
    ? null
    : "gcpConnection: credentials, or a connection, are needed; the server's own credentials are not used";
}

const pageSchema = z.object({
  nextPageToken: z.string().optional(),
  items: z
    .array(z.object({ name: z.string(), size: z.coerce.number().default(0), updated: z.string() }))
    .default([]),
});
const PAGE = 1000;

/** Everything below the folder, however deep. Throws for more than can be judged. */
export async function listGcsObjects(spec: FolderSpec, at: Probe): Promise<FileFacts[]> {
  const { bucket, prefix, globs } = bucketPlace(spec.path, 'gcs', spec.gcpConnection?.objectPath);
  const scope = 'https://www.googleapis.com/auth/devstorage.read_only';
  const call = await openGoogle(spec.gcpConnection ?? {}, { host: 'storage.googleapis.com', scope }, at);
  const files: FileFacts[] = [];
  let next: string | undefined;
  do {
    const query = new URLSearchParams({
      prefix,
      maxResults: String(PAGE),
      ...(next === undefined ? {} : { pageToken: next }),
    });
    const page = pageSchema.parse(
      await call(`/storage/v1/b/${encodeURIComponent(bucket)}/o?${query.toString()}`),
    );
    for (const { name, size, updated } of page.items)
      // A name that ends so is a folder that a console made.
      if (!name.endsWith('/')) files.push({ name, size, mode: '', modified: updated, is_dir: false });
    if (files.length > MAX_FILES)
      throw new AppError('bad_payload', `path: more than ${MAX_FILES} objects; name a folder of them`);
    next = page.nextPageToken;
  } while (next !== undefined);
  return namesMatching(files, globs, at);
}
