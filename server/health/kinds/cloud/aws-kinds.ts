/** s3, cloudwatch, awsConfig, awsConfigRule: by AWS's own clients (schema §4.1). */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, limits, required, text } from '../../kind/spec-fields.ts';
import { awsFields, awsPlace } from './aws-place.ts';
import { openS3 } from './s3-client.ts';

const base = { ...common, ...limits, ...awsFields };
const KEYS = {
  region: 'eu-west-1',
  accessKey: { valueFrom: { secretKeyRef: { name: 'aws', key: 'AWS_ACCESS_KEY_ID' } } },
  secretKey: { valueFrom: { secretKeyRef: { name: 'aws', key: 'AWS_SECRET_ACCESS_KEY' } } },
};
const facts = {
  needs: 'an access key or a connection',
  testedAgainst: 'real client over a local server',
} as const;

/** More than these are too many for one check: what is not read could be what fails. */
const MAX_FOUND = 5000;

/** What all pages have; a check that saw only a part may not pass. */
async function allOf<Page, Item>(
  pages: AsyncIterable<Page>,
  of: (page: Page) => readonly Item[] | undefined,
  what: { many: string; fewer: string },
): Promise<Item[]> {
  const found: Item[] = [];
  for await (const page of pages) {
    found.push(...(of(page) ?? []));
    if (found.length > MAX_FOUND)
      throw new AppError(
        'bad_payload',
        `more than ${MAX_FOUND} ${what.many}, which is too many to judge; ${what.fewer}`,
      );
  }
  return found;
}

const s3Schema = z.strictObject({
  ...base,
  bucketName: required,
  /** Written and read again where it is named; else the bucket is only listed. */
  objectPath: z.string().optional(),
  usePathStyle: z.boolean().optional(),
});

/** A bucket that can be listed, and written where an object is named. */
export const s3Kind = registeredKind({
  ...facts,
  key: 's3',
  title: 'S3 bucket',
  example: { name: 'backup bucket', bucketName: 'backups', ...KEYS },
  schema: s3Schema,
  run: (spec, context) =>
    probe(spec, context, async (at) => {
      const { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } = await import('@aws-sdk/client-s3');
      const client = await openS3(spec, at);
      const Bucket = spec.bucketName;
      const listed = await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }));
      const data = { results: { isEmpty: (listed.KeyCount ?? 0) === 0 } };
      if (spec.objectPath === undefined) return { data };
      const where = { Bucket, Key: spec.objectPath };
      const Body = context.platform.newId();
      await client.send(new PutObjectCommand({ ...where, Body }));
      const read = await client.send(new GetObjectCommand(where));
      const isSame = (await read.Body?.transformToString()) === Body;
      return { data, error: isSame ? null : `${spec.objectPath} reads otherwise than it was written` };
    }),
});

const cloudwatchSchema = z.strictObject({
  ...base,
  filter: z
    .strictObject({
      actionPrefix: z.string().optional(),
      alarmPrefix: z.string().optional(),
      alarms: z.array(text).optional(),
      state: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']).optional(),
    })
    .optional(),
});

/** Alarms; one that is in alarm has failed, unless a test or transform judges. */
export const cloudwatchKind = registeredKind({
  ...facts,
  key: 'cloudwatch',
  title: 'CloudWatch alarms',
  example: { name: 'alarms', ...KEYS, filter: { state: 'ALARM' } },
  schema: cloudwatchSchema,
  run: (spec, context) =>
    probe(spec, context, async (at) => {
      const { CloudWatchClient, paginateDescribeAlarms } = await import('@aws-sdk/client-cloudwatch');
      const client = new CloudWatchClient(await awsPlace(spec, at));
      const { actionPrefix, alarmPrefix, alarms, state } = spec.filter ?? {};
      const asked = {
        ActionPrefix: actionPrefix,
        AlarmNamePrefix: alarmPrefix,
        AlarmNames: alarms,
        // Without it, AWS tells metric alarms only.
        AlarmTypes: ['MetricAlarm' as const, 'CompositeAlarm' as const],
        StateValue: state,
      };
      const pages = await allOf(
        paginateDescribeAlarms({ client, pageSize: 100 }, asked),
        ({ MetricAlarms: metric = [], CompositeAlarms: composite = [] }) => [
          ...metric.map((alarm) => ({ metric: alarm })),
          ...composite.map((alarm) => ({ composite: alarm })),
        ],
        { many: 'alarms', fewer: 'name those that matter in filter' },
      );
      const MetricAlarms = pages.flatMap((one) => ('metric' in one ? one.metric : []));
      const CompositeAlarms = pages.flatMap((one) => ('composite' in one ? one.composite : []));
      const ringing = [...MetricAlarms, ...CompositeAlarms].filter((alarm) => alarm.StateValue === 'ALARM');
      const names = ringing.map((alarm) => alarm.AlarmName ?? '').join(', ');
      const isJudged = spec.test !== undefined || spec.transform !== undefined;
      // As JSON has them: moments are texts.
      const results: unknown = JSON.parse(JSON.stringify({ MetricAlarms, CompositeAlarms }));
      return { data: { results }, error: ringing.length === 0 || isJudged ? null : `in alarm: ${names}` };
    }),
});

/** Rows of a query of AWS Config. */
export const awsConfigKind = registeredKind({
  ...facts,
  key: 'awsConfig',
  type: 'awsconfig',
  title: 'AWS Config query',
  example: {
    name: 'open buckets',
    ...KEYS,
    query: "SELECT resourceId WHERE resourceType = 'AWS::S3::Bucket'",
    test: { expr: 'size(results) > 0' },
  },
  schema: z.strictObject({ ...base, query: required, aggregatorName: z.string().optional() }),
  run: (spec, context) =>
    probe(spec, context, async (at) => {
      const config = await import('@aws-sdk/client-config-service');
      const client = new config.ConfigServiceClient(await awsPlace(spec, at));
      const paging = { client, pageSize: 100 };
      const asked = { Expression: spec.query };
      const ConfigurationAggregatorName = spec.aggregatorName;
      const pages: AsyncIterable<{ Results?: string[] | undefined }> =
        ConfigurationAggregatorName === undefined
          ? config.paginateSelectResourceConfig(paging, asked)
          : config.paginateSelectAggregateResourceConfig(paging, { ...asked, ConfigurationAggregatorName });
      const rows = await allOf(pages, ({ Results }) => Results, {
        many: 'rows',
        fewer: 'ask for fewer in query',
      });
      const results = rows.map((row): unknown => JSON.parse(row));
      return { data: { results } };
    }),
});

/** Rules of AWS Config; one that is not complied with has failed. */
export const awsConfigRuleKind = registeredKind({
  ...facts,
  key: 'awsConfigRule',
  type: 'awsconfigrule',
  title: 'AWS Config rules',
  example: { name: 'rules', ...KEYS, ignoreRules: ['approved-amis'] },
  schema: z.strictObject({
    ...base,
    rules: z.array(text).optional(),
    ignoreRules: z.array(text).optional(),
    complianceTypes: z
      .array(z.enum(['COMPLIANT', 'NON_COMPLIANT', 'NOT_APPLICABLE', 'INSUFFICIENT_DATA']))
      .optional(),
  }),
  run: (spec, context) =>
    probe(spec, context, async (at) => {
      const config = await import('@aws-sdk/client-config-service');
      const client = new config.ConfigServiceClient(await awsPlace(spec, at));
      const pages = config.paginateDescribeComplianceByConfigRule(
        { client },
        { ConfigRuleNames: spec.rules, ComplianceTypes: spec.complianceTypes },
      );
      const all = await allOf(pages, ({ ComplianceByConfigRules }) => ComplianceByConfigRules, {
        many: 'rules',
        fewer: 'name those that matter in rules',
      });
      const results = all
        .map((rule) => ({
          rule: rule.ConfigRuleName ?? '',
          compliance: rule.Compliance?.ComplianceType ?? '',
        }))
        .filter(({ rule }) => !(spec.ignoreRules ?? []).includes(rule));
      const broken = results
        .filter(({ compliance }) => compliance === 'NON_COMPLIANT')
        .map(({ rule }) => rule);
      const isJudged = spec.test !== undefined || spec.transform !== undefined;
      return {
        data: { results },
        error: broken.length === 0 || isJudged ? null : `not complied with: ${broken.join(', ')}`,
      };
    }),
});
