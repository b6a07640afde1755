/** Folders in S3: the objects below `s3://bucket/folder`, or those that a pattern in it means (schema §4.1). */
import { AppError } from '../../../../src/contract/errors.ts';
import type { Probe } from '../../kind/probe.ts';
import { openS3 } from '../cloud/s3-client.ts';
import { bucketPlace, namesMatching } from './bucket-place.ts';
import { MAX_FILES } from './folder-spec.ts';
import type { FileFacts, FolderSpec } from './folder-spec.ts';

/** Whether its path leads there. */
export const isInS3 = ({ path }: FolderSpec): boolean => /^s3:\/\//i.test(path);

/** Why it can't be listed, or null. */
export function s3NotRun({ awsConnection }: FolderSpec): string | null {
  const hasKeys = awsConnection?.accessKey !== undefined && awsConnection.secretKey !== undefined;
  return hasKeys || (awsConnection?.connection ?? '') !== ''
    ? null
    : "awsConnection: accessKey and secretKey, or a connection, are needed; the server's own credentials are not used";
}

/** Everything below the folder, however deep. Throws for more than can be judged: the newest may be missing of a part. */
export async function listObjects(spec: FolderSpec, at: Probe): Promise<FileFacts[]> {
  const { bucket, prefix, globs } = bucketPlace(spec.path, 's3', spec.awsConnection?.objectPath);
  const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
  const client = await openS3(spec.awsConnection ?? {}, at);
  const files: FileFacts[] = [];
  let next: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: next }),
    );
    for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
      // A key that ends so is a folder that a console made.
      if (!Key.endsWith('/') && LastModified !== undefined)
        files.push({ name: Key, size: Size, mode: '', modified: LastModified.toISOString(), is_dir: false });
    if (files.length > MAX_FILES)
      throw new AppError('bad_payload', `path: more than ${MAX_FILES} objects; name a folder of them`);
    next = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (next !== undefined);
  return namesMatching(files, globs, at);
}
