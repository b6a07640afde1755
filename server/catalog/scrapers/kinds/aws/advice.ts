/** What AWS itself finds: Trusted Advisor's checks about the account, and rules of AWS Config that resources break. */
import { listOf, objectAt, textOf } from '../../health/health.ts';
import type { ScrapeContext, ScrapedAnalysis } from '../../specs/scraped.ts';
import { analysis } from '../services/scraped-parts.ts';
import type { AwsAccess } from './aws-access.ts';
import { ACCOUNT, collect } from './aws-item.ts';
import { callAws } from './aws-json-call.ts';
import { lookupTable } from '../../../../../src/lib/lookup-table.ts';

const SUPPORT_REGION = 'us-east-1';
const MAX_RESOURCES = 100;
const MAX_RULES = 200;
const TYPES = lookupTable<string>({
  cost_optimizing: 'cost',
  security: 'security',
  fault_tolerance: 'reliability',
  performance: 'performance',
  service_limits: 'availability',
});
const SEVERITIES = lookupTable<string>({ error: 'high', warning: 'medium' });

/** Descriptions are HTML. */
const plainText = (html: string): string =>
  html
    .replaceAll(/<[^<>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Checks that flag something. Needs a support plan that has the API. */
export async function readTrustedAdvisor(
  { config, account }: AwsAccess,
  context: ScrapeContext,
): Promise<ScrapedAnalysis[]> {
  const ask = (target: string, body: object) =>
    callAws(
      config,
      { service: 'support', region: SUPPORT_REGION, target: `AWSSupport_20130415.${target}` },
      { body, context },
    );
  const { checks } = objectAt(await ask('DescribeTrustedAdvisorChecks', { language: 'en' }));
  const found: ScrapedAnalysis[] = [];
  for (const check of listOf(checks)) {
    context.signal.throwIfAborted();
    const result = objectAt(
      await ask('DescribeTrustedAdvisorCheckResult', { checkId: check['id'], language: 'en' }),
      'result',
    );
    const severity = SEVERITIES[textOf(result['status'])];
    if (severity === undefined) continue;
    const flagged = listOf(result['flaggedResources']).filter(({ status }) => status !== 'ok');
    found.push(
      analysis({
        about: { type: ACCOUNT, externalId: account },
        analyzer: textOf(check['name']),
        analysisType: TYPES[textOf(check['category'])] ?? 'recommendation',
        severity,
        status: 'open',
        source: 'AWS Trusted Advisor',
        summary: `${flagged.length} resources are flagged`,
        message: plainText(textOf(check['description'])) || null,
        analysis: {
          columns: check['metadata'] ?? [],
          resources: flagged
            .slice(0, MAX_RESOURCES)
            .map(({ region, metadata, status }) => ({ region, status, metadata })),
        },
      }),
    );
  }
  return found;
}

/** Resources of a region that a rule of AWS Config calls non-compliant. */
export async function readCompliance(
  { config }: Pick<AwsAccess, 'config'>,
  region: string,
): Promise<ScrapedAnalysis[]> {
  const library = await import('@aws-sdk/client-config-service');
  const paging = { client: new library.ConfigServiceClient({ ...config, region }) };
  const rules = await collect(
    library.paginateDescribeComplianceByConfigRule(paging, { ComplianceTypes: ['NON_COMPLIANT'] }),
    ({ ComplianceByConfigRules }) => ComplianceByConfigRules,
  );
  const found: ScrapedAnalysis[] = [];
  for (const { ConfigRuleName: name = '' } of rules.slice(0, MAX_RULES)) {
    const pages = library.paginateGetComplianceDetailsByConfigRule(paging, {
      ConfigRuleName: name,
      ComplianceTypes: ['NON_COMPLIANT'],
      Limit: 100,
    });
    for (const result of await collect(pages, ({ EvaluationResults }) => EvaluationResults)) {
      const { ResourceType = '', ResourceId = '' } =
        result.EvaluationResultIdentifier?.EvaluationResultQualifier ?? {};
      if (ResourceId === '') continue;
      found.push(
        analysis({
          about: {
            type: ResourceType === 'AWS::EC2::Volume' ? 'AWS::EBS::Volume' : ResourceType,
            externalId: ResourceId,
          },
          analyzer: name,
          analysisType: 'compliance',
          severity: 'medium',
          status: 'open',
          source: 'AWS Config',
          summary: result.Annotation ?? `does not comply with ${name}`,
          lastObserved: result.ResultRecordedTime ?? null,
        }),
      );
    }
  }
  return found;
}
