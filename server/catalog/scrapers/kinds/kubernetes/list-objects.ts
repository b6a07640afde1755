/** Reads all objects of a resource page by page, as raw JSON: the typed client would drop fields it doesn't know. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { listOf, objectAt, textOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { ApiResource } from './api-resources.ts';
import type { Cluster } from './kube-config.ts';

const PAGE_SIZE = 500;
/** 100,000 objects of one resource. */
const MAX_PAGES = 200;

export interface Selection {
  /** Empty means all. */
  namespaces: readonly string[];
  labelSelector: string;
  fieldSelector: string;
}

/** A place of the API where objects of a resource are listed and watched. */
export interface ObjectPlace {
  resource: ApiResource;
  path: string;
  /** The selectors. */
  query: Record<string, string>;
}

function pathOf(resource: ApiResource, namespace: string | null): string {
  const root = resource.group === '' ? '/api/v1' : `/apis/${resource.group}/${resource.version}`;
  const scope = namespace === null ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${resource.plural}`;
}

/** Where a selection's objects of a resource are: in each namespace that it names, else in one place for all. */
export function placesOf(resource: ApiResource, selection: Selection): ObjectPlace[] {
  const query: Record<string, string> = {};
  if (selection.labelSelector !== '') query['labelSelector'] = selection.labelSelector;
  if (selection.fieldSelector !== '') query['fieldSelector'] = selection.fieldSelector;
  const namespaces = resource.isNamespaced && selection.namespaces.length > 0 ? selection.namespaces : [null];
  return namespaces.map((namespace) => ({ resource, path: pathOf(resource, namespace), query }));
}

/** With `apiVersion` and `kind`, which lists leave out of their items. */
export function namedObject(item: Json, { group, version, kind }: ApiResource): Json {
  return { ...item, apiVersion: group === '' ? version : `${group}/${version}`, kind };
}

interface ObjectPage {
  objects: Json[];
  /** Of the list, the same on each page: where a watch goes on. */
  resourceVersion: string;
}

/** The objects of a place page by page. */
export async function* objectPages(
  cluster: Cluster,
  { path, query, resource }: ObjectPlace,
): AsyncGenerator<ObjectPage> {
  const first = { ...query, limit: String(PAGE_SIZE) };
  let token = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await cluster.get(path, token === '' ? first : { ...first, continue: token });
    const metadata = objectAt(answer, 'metadata');
    token = textOf(metadata['continue']);
    const objects = listOf(objectAt(answer)['items']).map((item) => namedObject(item, resource));
    yield { objects, resourceVersion: textOf(metadata['resourceVersion']) };
    if (token === '') return;
  }
  throw new AppError(
    'bad_payload',
    `${path}: more than ${MAX_PAGES} pages of ${PAGE_SIZE}; narrow the scraper`,
  );
}

/** All objects of a resource that the selection means. */
export async function listObjects(
  cluster: Cluster,
  resource: ApiResource,
  selection: Selection,
): Promise<Json[]> {
  const found: Json[] = [];
  for (const place of placesOf(resource, selection))
    for await (const { objects } of objectPages(cluster, place))
      for (const object of objects) found.push(object);
  return found;
}
