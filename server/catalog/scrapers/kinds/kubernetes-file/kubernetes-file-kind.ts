/** Files out of the containers of a cluster as items (schema §5.2 kubernetesFile), each read with `cat`. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { SCRAPER_KINDS } from '../../../../../src/contract/specs/scraper-spec.ts';
import { objectAt, textOf } from '../../health/health.ts';
import type { RawDocument, ScraperKind } from '../../specs/scraped.ts';
import { openCluster } from '../kubernetes/kube-config.ts';
import type { Cluster } from '../kubernetes/kube-config.ts';
import { typeOf } from '../kubernetes/object-item.ts';
import { formatOf, parseContent } from '../services/parse-content.ts';
import { inParallel } from '../services/in-parallel.ts';
import type { CallContext } from '../services/service-call.ts';
import { output } from '../services/scraped-parts.ts';
import { findPods } from './find-pods.ts';
import type { FoundPod } from './find-pods.ts';
import { runInPod } from './pod-command.ts';

const spec = SCRAPER_KINDS.kubernetesFile;
const AT_ONCE = 4;

interface WantedFile {
  path: string;
  format: string | undefined;
}

function readFiles(files: ReturnType<typeof spec.parse>['files']): WantedFile[] {
  const wanted = (files ?? []).flatMap(({ path, format }) =>
    path.map((one) => ({ path: String(one), format })),
  );
  if (wanted.length === 0) throw new AppError('invalid', 'files: name at least one path');
  for (const { path } of wanted) {
    if (!path.startsWith('/')) throw new AppError('invalid', `files.path: "${path}" must begin with /`);
    if (/[*?[]/.test(path))
      throw new AppError(
        'invalid',
        `files.path: "${path}" has wildcards; no shell is run in the pod to resolve them`,
      );
  }
  return wanted;
}

async function readFile(
  cluster: Cluster,
  found: FoundPod,
  read: { file: WantedFile; container: string | null; context: CallContext },
): Promise<RawDocument[]> {
  const { file, container, context } = read;
  const metadata = objectAt(found.owner, 'metadata');
  const source = `${found.namespace}/${textOf(metadata['name'])}:${file.path}`;
  const place = { namespace: found.namespace, pod: found.pod, container };
  const bytes = await runInPod(cluster, { place, command: ['cat', '--', file.path], what: source }, context);
  const format = formatOf(file.path, file.format);
  const type = typeOf(found.ownerKind);
  const contents = await parseContent({ text: bytes.toString('utf8'), format, source }, context.signal);
  return contents.map((content) => ({
    content,
    format,
    source,
    known: {
      externalIds: [`${textOf(metadata['uid'])}${file.path}`],
      type: 'Kubernetes::File',
      configClass: 'File',
      name: file.path.split('/').pop() ?? file.path,
      tags: { namespace: found.namespace },
      parents: [{ type, externalId: textOf(metadata['uid']) }],
    },
  }));
}

export const kubernetesFileKind: ScraperKind = {
  kind: 'kubernetesFile',
  scrape: async (entry, context) => {
    const given = spec.parse(entry);
    const files = readFiles(given.files);
    const container = given.container ?? null;
    const cluster = await openCluster(entry['kubeconfig'], context);
    const { pods, errors } = await findPods(cluster, given.selector ?? {});
    const parts = pods.flatMap((found) =>
      files.map((file) => ({
        name: file.path,
        run: () => readFile(cluster, found, { file, container, context }),
      })),
    );
    const read = await inParallel(parts, { atOnce: AT_ONCE, signal: context.signal });
    return output({
      documents: read.results.flat(),
      errors: [...errors, ...read.errors],
      isComplete: errors.length === 0 && read.errors.length === 0,
    });
  },
};
