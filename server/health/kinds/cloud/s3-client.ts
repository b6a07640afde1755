/** AWS's client of S3, and of what speaks like it (MinIO, Ceph). */
import type { S3Client } from '@aws-sdk/client-s3';
import type { Probe } from '../../kind/probe.ts';
import { awsPlace } from './aws-place.ts';
import type { AwsPlaceSpec } from './aws-place.ts';

/** Bucket names stand in the path where an endpoint is given, unless it is said otherwise. */
export async function openS3(
  spec: AwsPlaceSpec & { usePathStyle?: boolean | undefined },
  at: Probe,
): Promise<S3Client> {
  const { S3Client: Client } = await import('@aws-sdk/client-s3');
  return new Client({
    ...(await awsPlace(spec, at)),
    forcePathStyle: spec.usePathStyle ?? (spec.endpoint ?? spec.url) !== undefined,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}
