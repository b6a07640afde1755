/** What GitHub and OpenSSF find in a repository: one finding for each advisory, rule or kind of secret that is open. */
import type { Octokit } from '@octokit/rest';
import { AppError } from '../../../../../src/contract/errors.ts';
import { listOf, objectAt, textOf, timeOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { ScrapeContext, ScrapedAnalysis } from '../../specs/scraped.ts';
import { told } from '../github-actions/github-client.ts';
import { callJson } from '../services/json-call.ts';
import { analysis } from '../services/scraped-parts.ts';
import { lookupTable } from '../../../../../src/lib/lookup-table.ts';

export interface Findings {
  findings: ScrapedAnalysis[];
  warnings: string[];
}

const SCORECARDS = 'https://api.securityscorecards.dev';
const MAX_PAGES = 50;
/** A check of a scorecard below this is worth a look. */
const GOOD_SCORE = 7;
const SEVERITIES = lookupTable<string>({
  critical: 'critical',
  high: 'high',
  error: 'high',
  medium: 'medium',
  moderate: 'medium',
  warning: 'medium',
  low: 'low',
  note: 'info',
});

interface Source {
  path: string;
  name: string;
  read: (alert: Json) => { what: string; severity: string; summary: string };
}

const SOURCES: readonly Source[] = [
  {
    path: 'dependabot/alerts',
    name: 'Dependabot',
    read(alert) {
      const advisory = objectAt(alert, 'security_advisory');
      const package_ = textOf(objectAt(alert, 'dependency', 'package')['name']);
      const id = textOf(advisory['ghsa_id']);
      return {
        what: `${id} ${package_}`,
        severity: textOf(advisory['severity']),
        summary: textOf(advisory['summary']),
      };
    },
  },
  {
    path: 'code-scanning/alerts',
    name: 'Code scanning',
    read(alert) {
      const rule = objectAt(alert, 'rule');
      const severity = textOf(rule['security_severity_level']) || textOf(rule['severity']);
      return { what: textOf(rule['id']), severity, summary: textOf(rule['description']) };
    },
  },
  {
    // Its alerts have the secret itself: only what kind it is leaves this file.
    path: 'secret-scanning/alerts',
    name: 'Secret scanning',
    read(alert) {
      const what = textOf(alert['secret_type']);
      return { what, severity: 'critical', summary: textOf(alert['secret_type_display_name']) || what };
    },
  },
];

function findingsOf({ name, read }: Source, alerts: readonly Json[]): ScrapedAnalysis[] {
  const byRule = new Map<string, { alert: Json; urls: string[] }>();
  for (const alert of alerts) {
    const { what } = read(alert);
    const known = byRule.get(what) ?? { alert, urls: [] };
    byRule.set(what, { ...known, urls: [...known.urls, textOf(alert['html_url'])] });
  }
  return [...byRule].map(([what, { alert, urls }]) => {
    const { severity, summary } = read(alert);
    return analysis({
      analyzer: `${name}: ${what}`.trim(),
      analysisType: 'security',
      severity: SEVERITIES[severity] ?? 'medium',
      status: 'open',
      source: 'GitHub',
      summary: urls.length === 1 ? summary : `${summary} (${urls.length} places)`,
      analysis: { alerts: urls.slice(0, 100) },
      firstObserved: timeOf(alert['created_at']),
    });
  });
}

const NEXT = /<[^<>?]+\?([^<>]+)>;\s*rel="next"/;

/** Alerts of all pages; of the address of the next only what it asks for is taken, as the token goes there. */
async function alertsOf(client: Octokit, repository: string, source: Source): Promise<Json[]> {
  const found: Json[] = [];
  let query: string | undefined = 'state=open&per_page=100';
  for (let page = 0; query !== undefined; page += 1) {
    if (page === MAX_PAGES)
      throw new AppError('bad_payload', `${source.name}: more than ${found.length} open alerts`);
    const path: string = `/repos/${repository}/${source.path}?${query}`;
    const { data, headers } = await told(source.name, () => client.request(`GET ${path}`));
    found.push(...listOf(data));
    query = NEXT.exec(headers.link ?? '')?.[1];
  }
  return found;
}

/** Open alerts; what is switched off or not to be seen is told and counts as none. */
export async function openAlerts(client: Octokit, repository: string): Promise<Findings> {
  const found: Findings = { findings: [], warnings: [] };
  for (const source of SOURCES) {
    try {
      found.findings.push(...findingsOf(source, await alertsOf(client, repository, source)));
    } catch (error) {
      const isOff = error instanceof AppError && (error.status === 403 || error.status === 404);
      if (!isOff) throw error;
      found.warnings.push(`security: ${repository}: ${source.name} is off, or the token may not read it`);
    }
  }
  return found;
}

/** The checks of its scorecard that are low. A repository without a scorecard has none. */
export async function scorecard(
  base: string | undefined,
  repository: string,
  context: ScrapeContext,
): Promise<Findings> {
  const given = base ?? SCORECARDS;
  if (!URL.canParse(given)) throw new AppError('invalid', `scorecardURL: "${given}" is no address`);
  const url = new URL(`/projects/github.com/${repository}`, given);
  try {
    const checks = listOf(objectAt(await callJson('OpenSSF Scorecard', { url }, context))['checks']);
    const low = checks.filter(({ score }) => typeof score === 'number' && score >= 0 && score < GOOD_SCORE);
    const findings = low.map((check) =>
      analysis({
        analyzer: `OpenSSF: ${textOf(check['name'])}`,
        analysisType: 'security',
        severity: Number(check['score']) < 3 ? 'high' : 'medium',
        status: 'open',
        source: 'OpenSSF',
        summary: `${String(check['score'])} of 10: ${textOf(check['reason'])}`,
        analysis: {
          details: check['details'] ?? null,
          documentation: objectAt(check, 'documentation')['url'] ?? null,
        },
      }),
    );
    return { findings, warnings: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
    return { findings: [], warnings: [`openssf: ${repository} has no scorecard`] };
  }
}
