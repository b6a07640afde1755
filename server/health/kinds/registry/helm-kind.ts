/** helm: whether a chart can be pulled, from a repository with an index or from a registry; nothing is installed. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import type { EgressTls } from '../../../platform/egress/egress-http.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { authorization, callHttp } from '../../kind/http-call.ts';
import { probe } from '../../kind/probe.ts';
import type { Found, Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { agreeOnTls, placeUrl, servicePlace, signInAt } from '../../kind/service-place.ts';
import type { ServicePlace } from '../../kind/service-place.ts';
import {
  common,
  connection,
  limits,
  namesPlace,
  text,
  tlsSchema,
  valueSchema,
} from '../../kind/spec-fields.ts';
import { chartIn, refuseNoIndex } from './helm-index.ts';
import type { ChartEntry } from './helm-index.ts';
import { openRegistry } from './registry-client.ts';
import { trimEnd } from '../../../../src/lib/trim-end.ts';

const helmSchema = z
  .strictObject({
    ...common,
    ...connection,
    ...limits,
    /** The old name of url, beside the project of a Harbor. */
    chartmuseum: z.string().optional(),
    project: z.string().optional(),
    auth: z.strictObject({ username: valueSchema.optional(), password: valueSchema.optional() }).optional(),
    cafile: z.string().optional(),
    /** The index alone is read where none is named. */
    chart: text.optional(),
    /** The newest that is released, unless given. */
    version: text.optional(),
    tlsConfig: tlsSchema.optional(),
  })
  .refine(namesPlace(['url', 'chartmuseum', 'connection']), { path: ['url'], message: 'is required' });
type HelmSpec = z.output<typeof helmSchema>;

const MAX_INDEX_BYTES = 32 * 1024 * 1024;
const MAX_CHART_BYTES = 16 * 1024 * 1024;
/** Repositories keep their archives elsewhere. */
const MAX_REDIRECTS = 5;
const CHART_LAYER = 'application/vnd.cncf.helm.chart.content';

const manifestSchema = z.looseObject({
  layers: z.array(z.looseObject({ mediaType: z.string(), size: z.number() })).default([]),
});

function addressOf({ url, chartmuseum, project = '' }: HelmSpec): string | undefined {
  if (url !== undefined || chartmuseum === undefined) return url;
  return project === '' ? chartmuseum : `${trimEnd(chartmuseum, '/')}/chartrepo/${project}`;
}

/** In a registry a chart is a tag of a repository (helm's OCI support). */
async function inRegistry(spec: HelmSpec, place: ServicePlace, at: Probe): Promise<Found> {
  const url = placeUrl(place.address, ['oci']);
  const path = [url.pathname, spec.chart ?? '']
    .join('/')
    .split('/')
    .filter((part) => part !== '');
  if (spec.version === undefined || path.length === 0)
    throw new AppError('invalid', 'chart and version: are required for a registry');
  const repository = path.join('/');
  const signIn = { ...signInAt(url, place), bearer: '' };
  // A tag has no plus sign; helm writes an underscore for it.
  const tag = spec.version.replaceAll('+', '_');
  const { tls, wantsTls } = place;
  const image = { registry: url.host, repository, tls, wantsTls };
  const answer = await openRegistry(at, image, signIn).get(tag);
  const { layers } = manifestSchema.parse(JSON.parse(answer.body.toString('utf8')));
  const chart = layers.find(({ mediaType }) => mediaType.startsWith(CHART_LAYER));
  const data = { results: { chart: path.at(-1), version: spec.version, size: chart?.size ?? null } };
  return { data, error: chart === undefined ? `${repository}:${spec.version} is no chart` : null };
}

interface Repository {
  /** Ends with a slash. */
  root: URL;
  headers: Record<string, string>;
  tls: EgressTls;
}

function repositoryAt(place: ServicePlace): Repository {
  const root = placeUrl(place.address, ['https', 'http']);
  agreeOnTls(place.wantsTls, root.protocol === 'https:');
  const signIn = signInAt(root, place);
  const headers = authorization({ ...signIn, bearer: signIn.username === '' ? place.bearer : '' });
  root.username = '';
  root.password = '';
  root.pathname = `${trimEnd(root.pathname, '/')}/`;
  return { root, headers, tls: place.tls };
}

/** The archive of a chart, with the sign-in only where the repository itself has it, as helm does. */
async function archiveOf(entry: ChartEntry, { root, headers, tls }: Repository, at: Probe): Promise<Buffer> {
  const [address = ''] = entry.urls;
  if (address === '' || !URL.canParse(address, root.href))
    throw new AppError('bad_payload', `the index has no address of version ${entry.version}`);
  const url = new URL(address, root);
  const limited = { url, maxRedirects: MAX_REDIRECTS, maxBytes: MAX_CHART_BYTES };
  const answer =
    url.origin === root.origin
      ? await callHttp(at, { ...limited, headers, tls })
      : // The index's choice, not that of whoever named the repository.
        await callHttp({ ...at, trust: 'user' }, limited);
  if (answer.statusCode !== 200)
    throw new AppError('network', `the archive of version ${entry.version}: status ${answer.statusCode}`);
  return answer.body;
}

async function inRepository(spec: HelmSpec, place: ServicePlace, at: Probe): Promise<Found> {
  const repository = repositoryAt(place);
  const { root, headers, tls } = repository;
  const url = new URL('index.yaml', root);
  const answer = await callHttp(at, {
    url,
    headers,
    tls,
    maxRedirects: MAX_REDIRECTS,
    maxBytes: MAX_INDEX_BYTES,
  });
  if (answer.statusCode !== 200) throw new AppError('network', `index.yaml: status ${answer.statusCode}`);
  const index = answer.body.toString('utf8');
  refuseNoIndex(index);
  const { chart, version } = spec;
  if (chart === undefined) return { data: { results: {} } };
  const entry = chartIn(index, { chart, version });
  if (entry === null)
    return {
      data: { results: {} },
      error: `the index has no ${chart}${version === undefined ? '' : ` ${version}`}`,
    };
  const archive = await archiveOf(entry, repository, at);
  const digest = createHash('sha256').update(archive).digest('hex');
  const { urls: _urls, ...facts } = entry;
  const isSame = entry.digest === undefined || entry.digest.replace(/^sha256:/, '') === digest;
  return {
    data: { results: { ...facts, chart, digest, size: archive.length } },
    error: isSame ? null : `the digest of the archive is ${digest}, the index says ${entry.digest}`,
  };
}

function run(spec: HelmSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const place = await servicePlace(
      { ...spec, url: addressOf(spec), authentication: spec.authentication ?? spec.auth },
      context,
    );
    return /^oci:\/\//i.test(place.address) ? inRegistry(spec, place, at) : inRepository(spec, place, at);
  });
}

/** A chart that can be pulled. */
export const helmKind = registeredKind({
  key: 'helm',
  title: 'Helm chart',
  needs: 'nothing; charts in a registry (oci://) need their version',
  testedAgainst: 'stand-in',
  example: { name: 'our charts', url: 'https://charts.example.com/stable', chart: 'shop', version: '1.4.0' },
  schema: helmSchema,
  notRun: ({ cafile = '' }) =>
    cafile === '' ? null : 'cafile is not read by this server: write tlsConfig.ca',
  run,
});
