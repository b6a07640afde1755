/**
 * Findings of Trivy (schema §5.2 trivy): from a run of the command over a cluster, where commands are allowed, or
 * from a report that was made elsewhere: `url`, or for operators `report`, a file. Artifacts are items; what was
 * found in a cluster is told about the cluster's own items.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { AppError } from '../../../../../src/contract/errors.ts';
import { SCRAPER_KINDS } from '../../../../../src/contract/specs/scraper-spec.ts';
import type {
  RawDocument,
  ScrapeContext,
  ScrapedAnalysis,
  ScrapeOutput,
  ScraperKind,
} from '../../specs/scraped.ts';
import { refOf } from '../kubernetes/object-item.ts';
import { jsonDocument, output } from '../services/scraped-parts.ts';
import { callService, jsonOf } from '../services/service-call.ts';
import { runTrivy } from './run-trivy.ts';
import { findingsOf, targetsOf } from './trivy-report.ts';
import type { TrivyTarget } from './trivy-report.ts';

const spec = SCRAPER_KINDS.trivy;
const MAX_REPORT_BYTES = 128 * 1024 * 1024;

async function readReportFile(path: string, context: ScrapeContext): Promise<string> {
  if (context.trust !== 'operator')
    throw new AppError(
      'forbidden',
      "report: files of the server are for operators' scrapers only; give a url",
    );
  try {
    const folder = await realpath(context.baseFolder);
    const file = await realpath(resolve(folder, path));
    if (!file.startsWith(`${folder}${sep}`))
      throw new AppError('forbidden', `report: ${path} is outside its folder`);
    if ((await stat(file)).size > MAX_REPORT_BYTES)
      throw new AppError('invalid', `report: ${path} is too large`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('not_found', `report: ${path} could not be read`, { cause: error });
  }
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('bad_payload', `${what} is not JSON; write it with --format json`, { cause: error });
  }
}

async function readReport(
  entry: Record<string, unknown>,
  binary: string,
  context: ScrapeContext,
): Promise<unknown> {
  const { report, url } = entry;
  if (typeof report === 'string') return parsed(await readReportFile(report, context), `report: ${report}`);
  if (typeof url === 'string') {
    if (!URL.canParse(url)) throw new AppError('invalid', `url: "${url}" is not valid`);
    const call = { method: 'GET', url: new URL(url), headers: {}, body: null, maxRedirects: 3 };
    return jsonOf(`url: ${new URL(url).host}`, await callService(context, call));
  }
  if (!context.mayExec)
    throw new AppError(
      'forbidden',
      'trivy: commands are switched off; start the server with ALLOW_EXEC=true, or give the report of a run elsewhere as url',
    );
  return parsed(await runTrivy(spec.parse(entry), binary, context), "trivy: the command's report");
}

/** `container_image` is a `Trivy::ContainerImage`. */
function typeOf(target: TrivyTarget): string {
  const words = (target.artifactType || 'artifact').split('_').filter((word) => word !== '');
  return `Trivy::${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}`;
}

function healthOf(findings: readonly ScrapedAnalysis[]): 'unhealthy' | 'warning' | 'healthy' {
  if (findings.some(({ severity }) => severity === 'critical')) return 'unhealthy';
  return findings.some(({ severity }) => severity === 'high') ? 'warning' : 'healthy';
}

function artifactItem(target: TrivyTarget): RawDocument {
  const analyses = findingsOf(target, null);
  return jsonDocument(target.facts, target.name, {
    externalIds: [target.name],
    type: typeOf(target),
    configClass: typeOf(target).slice('Trivy::'.length),
    name: target.name,
    health: healthOf(analyses),
    status: analyses.length === 0 ? 'No findings' : `${analyses.length} findings`,
    ready: true,
    analyses,
  });
}

function readTargets(report: unknown, clusterName: unknown): ScrapeOutput {
  const { cluster, targets } = targetsOf(report);
  if (targets.length === 0 && cluster === '')
    throw new AppError('bad_payload', 'trivy: the document is no report of Trivy');
  const own = typeof clusterName === 'string' && clusterName !== '' ? clusterName : cluster;
  const documents: RawDocument[] = [];
  const analyses: ScrapedAnalysis[] = [];
  for (const target of targets) {
    if (target.resource === null) documents.push(artifactItem(target));
    else analyses.push(...findingsOf(target, { ...refOf(own, target.resource), scope: 'any' }));
  }
  return output({ documents, analyses });
}

/** The kind with the command's name or path. */
export function createTrivyKind(binary: string): ScraperKind {
  return {
    kind: 'trivy',
    scrape: async (entry, context) =>
      readTargets(await readReport(entry, binary, context), entry['clusterName']),
  };
}
