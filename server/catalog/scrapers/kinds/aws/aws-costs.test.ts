/** Costs, advice and compliance of AWS, by the services' JSON protocol over a server of the test. */
import { afterAll, afterEach, expect, test } from 'vitest';
import { createServerGuard } from '../../../../platform/egress/server-guard.ts';
import { scrapeSetting } from '../../testing/scrape-setting.ts';
import { jsonDocument } from '../services/scraped-parts.ts';
import { ACCOUNT } from './aws-item.ts';
import { readCompliance, readTrustedAdvisor } from './advice.ts';
import { readCosts, withCosts } from './cost-report.ts';
import { startLocalServer } from '../../testing/local-server.ts';
import type { LocalServer } from '../../testing/local-server.ts';

const guard = createServerGuard({ egressAllow: ['loopback'], egressDeny: [], databaseUrl: null });
const context = scrapeSetting({ guard });
const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
let server: LocalServer | null = null;
afterEach(() => server?.close());
afterAll(() => context.expressions.close());

const row = (...values: string[]) => ({ Data: values.map((VarCharValue) => ({ VarCharValue })) });

test('a cost report reaches items by ARN and by id, and all together are the bill', async () => {
  server = await startLocalServer(({ headers, body }) => {
    const target = String(headers['x-amz-target']);
    if (target.endsWith('StartQueryExecution')) return { body: { QueryExecutionId: 'q' } };
    if (target.endsWith('GetQueryExecution'))
      return { body: { QueryExecution: { Status: { State: 'SUCCEEDED' } } } };
    return body.includes('NextToken')
      ? { body: { ResultSet: { Rows: [row('', '1', '7', '30')] } } }
      : {
          body: {
            ResultSet: {
              Rows: [
                row('line_item_resource_id', '_col1', '_col2', '_col3'),
                row('i-1', '14.4', '100', '400'),
                row('arn:aws:s3:::b', '0.1', '0.7', '3'),
                row('gone', '2', '14', '60'),
              ],
            },
            NextToken: 'n',
          },
        };
  });
  const config = { credentials, endpoint: server.url, requestHandler: undefined, maxAttempts: 1 } as never;
  const given = { database: 'billing', table: 'report' };
  const costs = await readCosts(given, { config, region: 'eu-west-1' }, context);
  const item = (type: string, ...externalIds: string[]) => jsonDocument({}, 'aws', { type, externalIds });
  const told = withCosts(
    [
      item(ACCOUNT, '1'),
      item('AWS::EC2::Instance', 'arn:aws:ec2:eu-west-1:1:instance/i-1'),
      item('AWS::S3::Bucket', 'arn:aws:s3:::b'),
      item('AWS::EC2::VPC', 'vpc-1'),
    ],
    costs,
    ACCOUNT,
  );
  expect(told.map(({ known }) => known.costs?.total30d)).toEqual([90, 400, 3, undefined]);
  expect(told[1]?.known.costs?.perMinute).toBeCloseTo(0.01);
  await expect(
    readCosts({ ...given, table: 'x"; drop' }, { config, region: 'eu-west-1' }, context),
  ).rejects.toMatchObject({ code: 'invalid' });
});

test('what Trusted Advisor flags is a finding about the account', async () => {
  server = await startLocalServer(({ headers, body }) =>
    String(headers['x-amz-target']).endsWith('DescribeTrustedAdvisorChecks')
      ? {
          body: {
            checks: ['open', 'fine'].map((id) => ({
              id,
              name: `Ports ${id}`,
              category: 'security',
              description: '<b>Looks</b> at ports',
              metadata: ['Region'],
            })),
          },
        }
      : {
          body: {
            result: {
              status: body.includes('open') ? 'error' : 'ok',
              flaggedResources: [{ status: 'error', region: 'eu-west-1', metadata: ['x'] }, { status: 'ok' }],
            },
          },
        },
  );
  const config = { credentials, endpoint: server.url } as never;
  const found = await readTrustedAdvisor({ config, account: '1', regions: ['eu-west-1'] }, context);
  expect(found).toMatchObject([
    {
      about: { type: ACCOUNT, externalId: '1' },
      analyzer: 'Ports open',
      analysisType: 'security',
      severity: 'high',
      summary: '1 resources are flagged',
      message: 'Looks at ports',
    },
  ]);
});

test('what rules of AWS Config call non-compliant is a finding about each resource, page by page', async () => {
  const volume = (ResourceId: string) => ({
    EvaluationResultIdentifier: {
      EvaluationResultQualifier: {
        ConfigRuleName: 'encrypted',
        ResourceType: 'AWS::EC2::Volume',
        ResourceId,
      },
    },
    ResultRecordedTime: 1_790_000_000,
  });
  server = await startLocalServer(({ headers, body }) => {
    const isFirst = !body.includes('NextToken');
    if (String(headers['x-amz-target']).endsWith('DescribeComplianceByConfigRule'))
      return {
        body: {
          ComplianceByConfigRules: [{ ConfigRuleName: isFirst ? 'encrypted' : 'tagged' }],
          ...(isFirst ? { NextToken: 'rules' } : {}),
        },
      };
    if (body.includes('tagged'))
      return { body: { EvaluationResults: [{ ...volume('vol-3'), Annotation: 'has no owner' }] } };
    return {
      body: {
        EvaluationResults: [volume(isFirst ? 'vol-1' : 'vol-2')],
        ...(isFirst ? { NextToken: 'results' } : {}),
      },
    };
  });
  const config = { credentials, endpoint: server.url } as never;
  const found = await readCompliance({ config }, 'eu-west-1');
  expect(found.map(({ about, analyzer, summary }) => [about?.externalId, analyzer, summary])).toEqual([
    ['vol-1', 'encrypted', 'does not comply with encrypted'],
    ['vol-2', 'encrypted', 'does not comply with encrypted'],
    ['vol-3', 'tagged', 'has no owner'],
  ]);
  expect(found[0]).toMatchObject({
    about: { type: 'AWS::EBS::Volume' },
    analysisType: 'compliance',
    severity: 'medium',
    status: 'open',
    lastObserved: new Date(1_790_000_000_000),
  });
});
