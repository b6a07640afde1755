/** Which objects of a bucket an address means: `s3://bucket/folder/*.gz`. The same for every kind of bucket. */
import { AppError } from '../../../../src/contract/errors.ts';
import type { Probe } from '../../kind/probe.ts';
import type { FileFacts } from './folder-spec.ts';
import { trimEnd } from '../../../../src/lib/trim-end.ts';

interface BucketPlace {
  bucket: string;
  /** All that is asked for begins with it. */
  prefix: string;
  globs: string[];
}

/** `*` and `?` stay within a name, `**` does not; everything else is itself. */
function patternOf(glob: string): string {
  const source = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*\*\/|\*\*|\*|\?/g, (sign) =>
      sign === '**/' ? '(?:.*/)?' : sign === '**' ? '.*' : sign === '*' ? '[^/]*' : '[^/]',
    );
  return `^${source}$`;
}

/** `objectPath` is a pattern besides that of the address. */
export function bucketPlace(address: string, scheme: 's3' | 'gcs', objectPath = ''): BucketPlace {
  const [, bucket = '', path = ''] = new RegExp(`^${scheme}://([^/]+)/*(.*)$`, 'i').exec(address) ?? [];
  if (bucket === '') throw new AppError('invalid', `path: must be such as ${scheme}://bucket/folder`);
  const wanted = objectPath === '' ? [] : [objectPath];
  const magic = path.search(/[*?]/);
  if (magic >= 0) return { bucket, prefix: path.slice(0, magic), globs: [path, ...wanted] };
  const folder = trimEnd(path, '/');
  return { bucket, prefix: folder === '' ? '' : `${folder}/`, globs: wanted };
}

/** Those that all patterns mean. */
export async function namesMatching(
  files: FileFacts[],
  globs: readonly string[],
  at: Probe,
): Promise<FileFacts[]> {
  let left = files;
  for (const glob of globs) {
    const names = await at.matching(
      patternOf(glob),
      left.map(({ name }) => name),
    );
    left = left.filter(({ name }) => names.has(name));
  }
  return left;
}
