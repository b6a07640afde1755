/**
 * What a cluster serves: the resources of every group in its preferred version, found by the real client's
 * discovery calls over the guarded transport.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import type { CallContext } from '../services/service-call.ts';
import { inParallel } from '../services/in-parallel.ts';
import { openKubeClient } from './kube-client.ts';
import type { Cluster } from './kube-config.ts';

export interface ApiResource {
  /** Empty for the core group. */
  group: string;
  version: string;
  kind: string;
  plural: string;
  isNamespaced: boolean;
  /** Its changes can be followed. */
  canWatch: boolean;
}

const AT_ONCE = 8;
const MAX_GROUPS = 500;

async function clientFor(cluster: Cluster, context: CallContext) {
  const { kube, configuration } = await openKubeClient(cluster, context);
  return {
    core: new kube.CoreV1Api(configuration),
    groups: new kube.ApisApi(configuration),
    custom: new kube.CustomObjectsApi(configuration),
    version: new kube.VersionApi(configuration),
  };
}

interface Listed {
  name: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
}

function listable(group: string, version: string, resources: readonly Listed[]): ApiResource[] {
  return resources
    .filter((entry) => entry.verbs.includes('list') && !entry.name.includes('/'))
    .map((entry) => ({
      group,
      version,
      kind: entry.kind,
      plural: entry.name,
      isNamespaced: entry.namespaced,
      canWatch: entry.verbs.includes('watch'),
    }));
}

export interface Discovery {
  version: Record<string, string>;
  resources: ApiResource[];
  errors: string[];
}

/** The listable resources, core group first; groups whose server is away are named in `errors`. */
export async function discover(cluster: Cluster, context: CallContext): Promise<Discovery> {
  const client = await clientFor(cluster, context);
  const version = await client.version.getCode();
  const core = await client.core.getAPIResources();
  const { groups } = await client.groups.getAPIVersions();
  if (groups.length > MAX_GROUPS)
    throw new AppError('bad_payload', `The cluster has ${groups.length} API groups; ${MAX_GROUPS} are read`);
  const parts = groups.flatMap((group) => {
    const preferred = group.preferredVersion ?? group.versions[0];
    if (preferred === undefined) return [];
    const run = async () => {
      const list = await client.custom.getAPIResources({ group: group.name, version: preferred.version });
      return listable(group.name, preferred.version, list.resources);
    };
    return [{ name: preferred.groupVersion, run }];
  });
  const { results, errors } = await inParallel(parts, { atOnce: AT_ONCE, signal: context.signal });
  const { gitVersion, platform } = version;
  return {
    version: { gitVersion, platform },
    resources: [...listable('', 'v1', core.resources), ...results.flat()],
    errors,
  };
}
