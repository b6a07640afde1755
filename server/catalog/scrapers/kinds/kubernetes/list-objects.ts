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

function pathOf(resource: ApiResource, namespace: string | null): string {
  const root = resource.group === '' ? '/api/v1' : `/apis/${resource.group}/${resource.version}`;
  const scope = namespace === null ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${resource.plural}`;
}

async function listPath(cluster: Cluster, path: string, query: Record<string, string>): Promise<Json[]> {
  const found: Json[] = [];
  let token = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await cluster.get(path, token === '' ? query : { ...query, continue: token });
    found.push(...listOf(objectAt(answer)['items']));
    token = textOf(objectAt(answer, 'metadata')['continue']);
    if (token === '') return found;
  }
  throw new AppError(
    'bad_payload',
    `${path}: more than ${MAX_PAGES} pages of ${PAGE_SIZE}; narrow the scraper`,
  );
}

/** The objects with `apiVersion` and `kind`, which lists leave out of their items. */
export async function listObjects(
  cluster: Cluster,
  resource: ApiResource,
  selection: Selection,
): Promise<Json[]> {
  const query: Record<string, string> = { limit: String(PAGE_SIZE) };
  if (selection.labelSelector !== '') query['labelSelector'] = selection.labelSelector;
  if (selection.fieldSelector !== '') query['fieldSelector'] = selection.fieldSelector;
  const places = resource.isNamespaced && selection.namespaces.length > 0 ? selection.namespaces : [null];
  const apiVersion = resource.group === '' ? 'v1' : `${resource.group}/${resource.version}`;
  const found: Json[] = [];
  for (const namespace of places) {
    const items = await listPath(cluster, pathOf(resource, namespace), query);
    for (const item of items) found.push({ ...item, apiVersion, kind: resource.kind });
  }
  return found;
}
