/** Where states of Terraform are: files as the file scraper may read them, one over HTTP, S3, Google Cloud Storage. */
import { z } from 'zod';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { TerraformEntry } from '../../../../../src/contract/specs/scraper-services.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import { awsClientConfig } from '../aws/aws-access.ts';
import { fileKind } from '../file/file-kind.ts';
import { openGoogle } from '../gcp/google-access.ts';
import { callJson } from '../services/json-call.ts';
import { isPathPattern, pathMatcher } from '../services/path-pattern.ts';
import { callService, refusalOf } from '../services/service-call.ts';

type Place = TerraformEntry['state'];

export interface StateText {
  source: string;
  text: string;
}

const GCS = 'https://storage.googleapis.com';
const GCS_SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only';
const MAX_STATES = 200;
const MAX_STATE_BYTES = 32 * 1024 * 1024;
const MAX_ERRORS = 100;

const isState = (key: string): boolean => /\.(?:tfstate|json)$/.test(key);

interface Found {
  states: StateText[];
  errors: string[];
}
interface StateObject {
  name: string;
  size: number;
}

/** What `objectPath` means: one object, or all that a pattern finds among those that begin as it does. */
function wantedBy(objectPath: string | undefined): { one: string } | { prefix: string; pattern: string } {
  const pattern = objectPath === undefined || objectPath === '' ? '**' : objectPath;
  return isPathPattern(pattern)
    ? { prefix: pattern.slice(0, pattern.search(/[*?]/)), pattern }
    : { one: pattern };
}

/** The states among the objects that are listed; what is not read of them is told, as it is not gone. */
async function statesAmong(
  pages: AsyncIterable<readonly StateObject[]>,
  pattern: string,
): Promise<{ names: string[]; errors: string[] }> {
  const isMeant = pathMatcher(pattern);
  const [names, errors]: [string[], string[]] = [[], []];
  for await (const page of pages) {
    for (const { name, size } of page.filter((object) => isState(object.name) && isMeant(object.name))) {
      if (size <= MAX_STATE_BYTES) names.push(name);
      else errors.push(`state: ${name} is larger than ${MAX_STATE_BYTES / 1024 ** 2} MB and is not read`);
    }
    if (names.length <= MAX_STATES) continue;
    errors.push(
      `state.objectPath: finds more than ${MAX_STATES} states, only the first are read; name fewer an entry`,
    );
    break;
  }
  return { names: names.slice(0, MAX_STATES), errors: errors.slice(0, MAX_ERRORS) };
}

async function fromFiles(place: Place, context: ScrapeContext): Promise<Found> {
  const url = place?.url === undefined ? {} : { url: place.url };
  const paths = place?.local === undefined ? {} : { paths: [place.local] };
  const entry = {
    ...url,
    ...paths,
    ...(place?.connection === undefined ? {} : { connection: place.connection }),
  };
  const found = await fileKind.scrape({ ...entry, format: 'text' }, context);
  const states = found.documents.map(({ source, content }) => ({ source, text: String(content) }));
  return { states, errors: found.errors.map((text) => `state.${text}`) };
}

async function fromS3(place: NonNullable<NonNullable<Place>['s3']>, context: ScrapeContext): Promise<Found> {
  const { config, regions } = await awsClientConfig(
    { ...place, region: place.region === undefined ? undefined : [place.region] },
    context,
  );
  const s3 = await import('@aws-sdk/client-s3');
  const client = new s3.S3Client({
    ...config,
    region: regions[0],
    forcePathStyle: place.usePathStyle === true,
  });
  const wanted = wantedBy(place.objectPath);
  const listed = async function* (Prefix: string) {
    const listing = { Bucket: place.bucket, Prefix };
    for await (const { Contents = [] } of s3.paginateListObjectsV2({ client }, listing))
      yield Contents.map(({ Key = '', Size = 0 }) => ({ name: Key, size: Size }));
  };
  const { names, errors } =
    'one' in wanted
      ? { names: [wanted.one], errors: [] }
      : await statesAmong(listed(wanted.prefix), wanted.pattern);
  const states: StateText[] = [];
  for (const Key of names) {
    const { Body } = await client.send(new s3.GetObjectCommand({ Bucket: place.bucket, Key }));
    const text = (await Body?.transformToString('utf8')) ?? '';
    states.push({ source: `s3://${place.bucket}/${Key}`, text });
  }
  return { states, errors };
}

const listSchema = z.object({
  nextPageToken: z.string().optional(),
  items: z.array(z.object({ name: z.string(), size: z.coerce.number().default(0) })).default([]),
});

async function fromGcs(
  place: NonNullable<NonNullable<Place>['gcs']>,
  context: ScrapeContext,
): Promise<Found> {
  const { url, headers } = await openGoogle(place, { usual: GCS, scope: GCS_SCOPE }, context);
  const bucket = encodeURIComponent(place.bucket);
  const wanted = wantedBy(place.objectPath);
  const listed = async function* (prefix: string) {
    let next: string | undefined;
    do {
      const list = new URL(`/storage/v1/b/${bucket}/o`, url);
      list.searchParams.set('prefix', prefix);
      if (next !== undefined) list.searchParams.set('pageToken', next);
      const page = listSchema.safeParse(await callJson('Cloud Storage', { url: list, headers }, context));
      if (!page.success) throw new AppError('bad_payload', 'Cloud Storage: the answer is no list of objects');
      yield page.data.items;
      next = page.data.nextPageToken;
    } while (next !== undefined);
  };
  const { names, errors } =
    'one' in wanted
      ? { names: [wanted.one], errors: [] }
      : await statesAmong(listed(wanted.prefix), wanted.pattern);
  const states: StateText[] = [];
  for (const name of names) {
    const object = new URL(`/storage/v1/b/${bucket}/o/${encodeURIComponent(name)}?alt=media`, url);
    const answer = await callService(context, { method: 'GET', url: object, headers, body: null });
    if (answer.statusCode !== 200) throw refusalOf('Cloud Storage', answer.statusCode);
    states.push({ source: `gs://${place.bucket}/${name}`, text: answer.body.toString('utf8') });
  }
  return { states, errors };
}

/** The states that the specification means, and what was left out of them; what can't be read at all is thrown. */
export async function readStates(place: Place, context: ScrapeContext): Promise<Found> {
  if (place?.s3 !== undefined) return fromS3(place.s3, context);
  if (place?.gcs !== undefined) return fromGcs(place.gcs, context);
  if (place?.local === undefined && place?.url === undefined && place?.connection === undefined)
    throw new AppError('invalid', 'state: names no place: local, url, s3 or gcs');
  return fromFiles(place, context);
}
