/** The services of AWS, played on this machine for the real clients. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ScrapeOutput } from '../../specs/scraped.ts';
import { startRecordedAws } from '../../testing/recorded-aws.ts';
import type { RecordedAws } from '../../testing/recorded-aws.ts';
import { scrapeSetting } from '../../testing/scrape-setting.ts';
import { awsKind } from './aws-kind.ts';

let aws: RecordedAws;
const context = scrapeSetting();
beforeAll(async () => {
  aws = await startRecordedAws();
});
afterEach(() => {
  aws.denied.clear();
  aws.others.clear();
  aws.asked.length = 0;
});
afterAll(async () => {
  await aws.close();
  await context.expressions.close();
});

const scrape = (more: Record<string, unknown> = {}): Promise<ScrapeOutput> =>
  awsKind.scrape(
    { accessKey: 'AKIA', secretKey: 'a secret', endpoint: aws.url, region: ['eu-west-1'], ...more },
    context,
  );
const knownOf = ({ documents }: ScrapeOutput, type: string) =>
  documents.filter(({ known }) => known.type === type).map(({ known }) => known);

test('every supported type becomes items with their health, labels and place', async () => {
  const out = await scrape();
  expect(out.errors).toEqual([]);
  expect(out.documents.map(({ known }) => `${known.type} ${known.name}: ${known.health}`).toSorted()).toEqual(
    [
      'AWS::::Account 123456789012: unknown',
      'AWS::DynamoDB::Table orders: healthy',
      'AWS::EBS::Volume vol-1: healthy',
      'AWS::EC2::Instance web-1: healthy',
      'AWS::EC2::SecurityGroup web: unknown',
      'AWS::EC2::Subnet subnet-1: healthy',
      'AWS::EC2::VPC vpc-1: healthy',
      'AWS::ECS::Cluster demo: healthy',
      'AWS::ECS::Service web: warning',
      'AWS::EKS::Cluster prod: healthy',
      'AWS::IAM::Role node: unknown',
      'AWS::IAM::User ann: unknown',
      'AWS::Lambda::Function mail: unknown',
      'AWS::RDS::DBInstance shop: unhealthy',
      'AWS::Region eu-west-1: unknown',
      'AWS::S3::Bucket backups: unknown',
      'AWS::SNS::Topic alerts: unknown',
      'AWS::SQS::Queue jobs: unknown',
    ],
  );
  expect(knownOf(out, 'AWS::EC2::Instance')[0]).toMatchObject({
    externalIds: ['i-1'],
    labels: { Name: 'web-1', team: 'shop' },
    tags: { account: '123456789012', region: 'eu-west-1' },
    status: 'Running',
    createdAt: new Date('2024-07-25T08:10:24Z'),
    parents: [
      { type: 'AWS::EC2::Subnet', externalId: 'subnet-1' },
      { type: 'AWS::EC2::VPC', externalId: 'vpc-1' },
      { type: 'AWS::Region', externalId: '123456789012/eu-west-1' },
      { type: 'AWS::::Account', externalId: '123456789012' },
    ],
    relationships: [
      {
        to: { type: 'AWS::EC2::SecurityGroup', externalId: 'sg-1' },
        relation: 'SecurityGroupInstance',
        direction: 'in',
      },
    ],
  });
});

test('calls are signed by the given keys, and no value of a function is stored', async () => {
  const out = await scrape({ cloudtrail: {} });
  expect(aws.asked[0]?.headers['authorization']).toContain('Credential=AKIA/');
  const text = JSON.stringify(out);
  expect(text).toContain('SMTP_PASSWORD');
  expect(text).not.toContain('never-stored');
  expect(text).not.toContain('ApproximateNumberOfMessages');
});

test('events of CloudTrail are changes of what they name, without those that are excluded', async () => {
  const out = await scrape({ include: ['cloudtrail'], cloudtrail: { exclude: ['Assume*'], maxAge: '2d' } });
  expect(out.changes).toMatchObject([
    {
      about: { type: 'AWS::EC2::Instance', externalId: 'i-1' },
      externalChangeId: 'e-1/i-1',
      changeType: 'RunInstances',
      createdBy: 'ann',
      source: 'ec2.amazonaws.com',
    },
  ]);
  expect(JSON.parse(aws.asked.at(-1)?.body ?? '{}')).toMatchObject({
    StartTime: new Date('2026-08-19T06:30:00Z').getTime() / 1000,
  });
  expect(out.documents.map(({ known }) => known.type)).toEqual(['AWS::::Account', 'AWS::Region']);
});

test('include and exclude choose types, in any case', async () => {
  const some = await scrape({ include: ['ec2instance', 's3'] });
  expect(some.documents.map(({ known }) => known.type)).toEqual([
    'AWS::::Account',
    'AWS::Region',
    'AWS::EC2::Instance',
    'AWS::S3::Bucket',
  ]);
  expect(some.warnings).toEqual([]);
  const others = await scrape({ exclude: ['EC2', 'AWS::IAM::User', 'Savings Plan'] });
  expect(others.warnings).toEqual(['exclude: nothing here is called "Savings Plan"; it is not read anyway']);
  expect(knownOf(others, 'AWS::EC2::VPC')).toEqual([]);
  expect(knownOf(others, 'AWS::IAM::User')).toEqual([]);
  expect(knownOf(others, 'AWS::IAM::Role')).toHaveLength(1);
  const unknown = await scrape({ include: ['ELB', 'CloudTrail'] });
  expect(unknown.warnings).toEqual(['include: nothing here is called "ELB"; no such resources are read']);
  expect(unknown.changes).not.toEqual([]);
});

test('the recorded scraper of the fixtures runs with the keys of a connection', async () => {
  const document = z
    .object({ spec: z.object({ aws: z.array(z.record(z.string(), z.unknown())) }) })
    .parse(parse(readFileSync('../shared/fixtures/scrapers/fixtures/aws.yaml', 'utf8')));
  const entry = { ...document.spec.aws[0], connection: 'connection://aws' };
  const connection = async () => ({
    type: 'aws',
    url: aws.url,
    username: 'AKIB',
    password: 'b',
    certificate: '',
    insecureTls: false,
    properties: { assumeRole: 'arn:aws:iam::1:role/reader' },
  });
  const out = await awsKind.scrape(entry, { ...context, connection });
  expect(out.documents).toHaveLength(18);
  expect(aws.asked[0]?.headers['authorization']).toContain('Credential=AKIB/');
  expect(aws.asked.at(-1)?.headers['x-amz-security-token']).toBe('session');
});

test('a type that is refused is told, and nothing counts as gone', async () => {
  aws.denied.add('DescribeVolumes').add('ListTables');
  const out = await scrape();
  expect(out.isComplete).toBe(false);
  expect(out.errors.toSorted().map((text) => text.slice(0, 35))).toEqual([
    'AWS::DynamoDB::Table in eu-west-1: ',
    'AWS::EBS::Volume in eu-west-1: not ',
  ]);
  expect(knownOf(out, 'AWS::EC2::Instance')).toHaveLength(1);
});

test('more than are asked about one by one are items by their name, as they are not gone', async () => {
  const names = Array.from({ length: 201 }, (_, at) => `jobs-${at}`);
  aws.others.set('ListQueues', {
    QueueUrls: names.map((name) => `https://sqs.eu-west-1.amazonaws.com/1/${name}`),
  });
  aws.others.set('GetQueueAttributes', { Attributes: { QueueArn: 'arn:aws:sqs:eu-west-1:1:jobs-0' } });
  const out = await scrape({ include: ['SQS'] });
  expect([out.isComplete, knownOf(out, 'AWS::SQS::Queue')]).toMatchObject([true, { length: 201 }]);
  expect(knownOf(out, 'AWS::SQS::Queue').at(-1)).toMatchObject({
    name: 'jobs-200',
    externalIds: ['arn:aws:sqs:eu-west-1:1:jobs-200', 'https://sqs.eu-west-1.amazonaws.com/1/jobs-200'],
  });
});

test('what would need another service, other credentials or a closed address is refused with the reason', async () => {
  expect(await scrape({ costReporting: {}, include: ['VPC'] })).toMatchObject({
    errors: ['costReporting.database: "" is no name in Athena'],
  });
  await expect(awsKind.scrape({ region: ['eu-west-1'] }, context)).rejects.toThrow('are needed');
  await expect(
    awsKind.scrape({ accessKey: 'a', secretKey: 'b', endpoint: aws.url }, { ...context, trust: 'user' }),
  ).rejects.toThrow('not allowed');
});
