/** Where states of Terraform are: files as the file scraper may read them, one over HTTP, S3, Google Cloud Storage. */
import { z } from 'zod';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { TerraformEntry } from '../../../../../src/contract/specs/scraper-services.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import { awsClientConfig } from '../aws/aws-access.ts';
import { fileKind } from '../file/file-kind.ts';
import { openGoogle } from '../gcp/google-access.ts';
import { callJson } from '../services/json-call.ts';
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

/** Where no wildcard is, it is one object; else those that begin as the path does. */
const prefixOf = (path: string): string => path.replace(/[*?].*$/, '');
const isState = (key: string): boolean => /\.(?:tfstate|json)$/.test(key);

async function fromFiles(place: Place, context: ScrapeContext) {
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

async function fromS3(
  place: NonNullable<NonNullable<Place>['s3']>,
  context: ScrapeContext,
): Promise<StateText[]> {
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
  const path = place.objectPath ?? '*';
  const keys: string[] = prefixOf(path) === path && path !== '' ? [path] : [];
  const isListed = keys.length === 0;
  const listing = { Bucket: place.bucket, Prefix: prefixOf(path) };
  for await (const { Contents = [] } of isListed ? s3.paginateListObjectsV2({ client }, listing) : []) {
    const states = Contents.filter(({ Key = '', Size = 0 }) => isState(Key) && Size <= MAX_STATE_BYTES);
    keys.push(...states.flatMap(({ Key }) => Key ?? []));
    if (keys.length > MAX_STATES) break;
  }
  const found: StateText[] = [];
  for (const Key of keys.slice(0, MAX_STATES)) {
    const { Body } = await client.send(new s3.GetObjectCommand({ Bucket: place.bucket, Key }));
    found.push({
      source: `s3://${place.bucket}/${Key}`,
      text: (await Body?.transformToString('utf8')) ?? '',
    });
  }
  return found;
}

const listSchema = z.object({ items: z.array(z.object({ name: z.string() })).default([]) });

async function fromGcs(
  place: NonNullable<NonNullable<Place>['gcs']>,
  context: ScrapeContext,
): Promise<StateText[]> {
  const { url, headers } = await openGoogle(place, { usual: GCS, scope: GCS_SCOPE }, context);
  const bucket = encodeURIComponent(place.bucket);
  const path = place.objectPath ?? '*';
  let names = [path];
  if (prefixOf(path) !== path) {
    const list = new URL(`/storage/v1/b/${bucket}/o`, url);
    list.searchParams.set('prefix', prefixOf(path));
    const parsed = listSchema.safeParse(await callJson('Cloud Storage', { url: list, headers }, context));
    if (!parsed.success) throw new AppError('bad_payload', 'Cloud Storage: the answer is no list of objects');
    names = parsed.data.items.map(({ name }) => name).filter(isState);
  }
  const found: StateText[] = [];
  for (const name of names.slice(0, MAX_STATES)) {
    const object = new URL(`/storage/v1/b/${bucket}/o/${encodeURIComponent(name)}?alt=media`, url);
    const answer = await callService(context, { method: 'GET', url: object, headers, body: null });
    if (answer.statusCode !== 200) throw refusalOf('Cloud Storage', answer.statusCode);
    found.push({ source: `gs://${place.bucket}/${name}`, text: answer.body.toString('utf8') });
  }
  return found;
}

/** The states that the specification means; what can't be read at all is thrown. */
export async function readStates(
  place: Place,
  context: ScrapeContext,
): Promise<{ states: StateText[]; errors: string[] }> {
  if (place?.s3 !== undefined) return { states: await fromS3(place.s3, context), errors: [] };
  if (place?.gcs !== undefined) return { states: await fromGcs(place.gcs, context), errors: [] };
  if (place?.local === undefined && place?.url === undefined && place?.connection === undefined)
    throw new AppError('invalid', 'state: names no place: local, url, s3 or gcs');
  const { states, errors } = await fromFiles(place, context);
  return { states, errors };
}
