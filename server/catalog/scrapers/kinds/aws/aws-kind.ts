/**
 * Scrapes an account of AWS region by region (schema §5.2 aws): what `include` names, or everything but
 * `exclude`. A type that can't be read is told, and the scrape is then not complete.
 */
import { SCRAPER_KINDS } from '../../../../../src/contract/specs/scraper-spec.ts';
import type { RawDocument, ScrapeContext, ScrapedChange, ScraperKind } from '../../specs/scraped.ts';
import { inParallel } from '../services/in-parallel.ts';
import type { Texts } from '../services/named-list.ts';
import { output } from '../services/scraped-parts.ts';
import { readCompliance, readTrustedAdvisor } from './advice.ts';
import { openAws } from './aws-access.ts';
import type { AwsAccess, AwsConfig } from './aws-access.ts';
import { ACCOUNT, awsDocument, REGION } from './aws-item.ts';
import type { AwsResource } from './aws-item.ts';
import { readCloudTrail } from './cloudtrail.ts';
import { readCosts, withCosts } from './cost-report.ts';
import { readInstances, readSecurityGroups, readSubnets, readVolumes, readVpcs } from './collect-ec2.ts';
import { readBuckets, readPolicies, readRoles, readUsers } from './collect-identity.ts';
import {
  readContainers,
  readDatabases,
  readFunctions,
  readKubernetesClusters,
  readQueues,
  readTables,
  readTopics,
} from './collect-services.ts';

const spec = SCRAPER_KINDS.aws;
type AwsEntry = ReturnType<typeof spec.parse>;
const AT_ONCE = 4;

interface Collector {
  /** As `include` and `exclude` may name it, in any case; the first is the type. */
  names: [string, ...string[]];
  isGlobal: boolean;
  read: (config: AwsConfig, region: string) => Promise<AwsResource[]>;
}

const regional = (read: Collector['read'], ...names: [string, ...string[]]): Collector => ({
  names,
  isGlobal: false,
  read,
});
const global = (read: Collector['read'], ...names: [string, ...string[]]): Collector => ({
  names,
  isGlobal: true,
  read,
});

const COLLECTORS: readonly Collector[] = [
  regional(readVpcs, 'AWS::EC2::VPC', 'vpc', 'EC2', 'VPCs'),
  regional(readSubnets, 'AWS::EC2::Subnet', 'subnet', 'EC2', 'Subnets'),
  regional(readSecurityGroups, 'AWS::EC2::SecurityGroup', 'SecurityGroup', 'EC2', 'SecurityGroups'),
  regional(readInstances, 'AWS::EC2::Instance', 'EC2instance', 'instance', 'EC2', 'instances'),
  regional(readVolumes, 'AWS::EBS::Volume', 'EBS', 'volume', 'EC2', 'volumes'),
  regional(readDatabases, 'AWS::RDS::DBInstance', 'RDS'),
  regional(readKubernetesClusters, 'AWS::EKS::Cluster', 'EKS'),
  regional(readFunctions, 'AWS::Lambda::Function', 'Lambda', 'LambdaFunctions'),
  regional(readContainers, 'AWS::ECS::Cluster', 'ECS', 'ECSCluster', 'ECSService'),
  regional(readTables, 'AWS::DynamoDB::Table', 'DynamoDB', 'DynamoDBTables'),
  regional(readQueues, 'AWS::SQS::Queue', 'SQS'),
  regional(readTopics, 'AWS::SNS::Topic', 'SNS', 'SNSTopics'),
  global(readBuckets, 'AWS::S3::Bucket', 'S3', 'S3Bucket'),
  global(readUsers, 'AWS::IAM::User', 'IAM', 'User'),
  global(readRoles, 'AWS::IAM::Role', 'IAM', 'Roles'),
  global(readPolicies, 'AWS::IAM::Policy', 'IAM', 'IAMPolicy'),
];

const TRAIL = 'cloudtrail';
const ADVISOR = /^trusted_?advisor$/i;
const lower = (values: Texts): string[] => (values ?? []).map((value) => String(value).toLowerCase());
const KNOWN = new Set([TRAIL, ...COLLECTORS.flatMap(({ names }) => lower(names))]);

/** What isn't known here may be another product's, or mistyped: nothing is read by that name. */
function unknownNames({ include, exclude }: Pick<AwsEntry, 'include' | 'exclude'>): string[] {
  const unknown = (values: Texts) =>
    (values ?? []).map(String).filter((name) => !KNOWN.has(name.toLowerCase()) && !ADVISOR.test(name));
  return [
    ...unknown(include).map(
      (name) => `include: nothing here is called "${name}"; no such resources are read`,
    ),
    ...unknown(exclude).map((name) => `exclude: nothing here is called "${name}"; it is not read anyway`),
  ];
}

/** `include` and `exclude` name types in any case. */
function wantedBy(include: Texts, exclude: Texts): (names: readonly string[]) => boolean {
  const [wanted, refused] = [new Set(lower(include)), new Set(lower(exclude))];
  return (names) => {
    const own = names.map((name) => name.toLowerCase());
    if (own.some((name) => refused.has(name))) return false;
    return wanted.size === 0 || own.some((name) => wanted.has(name));
  };
}

function placeDocuments({ account, regions }: AwsAccess): RawDocument[] {
  const own = { type: ACCOUNT, ids: [account], name: account, config: { account } } satisfies AwsResource;
  const places = regions.map((region) => {
    const resource = { type: REGION, ids: [`${account}/${region}`], name: region, config: { region } };
    return awsDocument({ ...resource, ids: [`${account}/${region}`] }, account, region);
  });
  return [awsDocument(own, account, null), ...places];
}

function readResources(access: AwsAccess, wants: (names: readonly string[]) => boolean, signal: AbortSignal) {
  const { config, account, regions } = access;
  const parts = COLLECTORS.filter(({ names }) => wants(names)).flatMap(({ names, isGlobal, read }) =>
    (isGlobal ? [regions[0]] : regions).map((region) => ({
      name: `${names[0]} in ${isGlobal ? account : region}`,
      run: async (): Promise<RawDocument[]> => {
        const found = await read(config, region);
        return found.map((resource) => awsDocument(resource, account, isGlobal ? null : region));
      },
    })),
  );
  return inParallel(parts, { atOnce: AT_ONCE, signal });
}

async function readTrails(
  access: AwsAccess,
  given: Parameters<typeof readCloudTrail>[1],
  context: ScrapeContext,
) {
  const cut: string[] = [];
  const parts = access.regions.map((region) => ({
    name: `CloudTrail in ${region}`,
    run: async (): Promise<ScrapedChange[]> => {
      const found = await readCloudTrail({ config: access.config, region }, given, context);
      if (!found.isAll)
        cut.push(`CloudTrail in ${region}: more events than are read at once; shorten maxAge`);
      return found.changes;
    },
  }));
  const { results, errors } = await inParallel(parts, { atOnce: 1, signal: context.signal });
  return { results, errors: [...errors, ...cut] };
}

/** Findings of AWS itself, where they are asked for. */
async function readAdvice(
  access: AwsAccess,
  { given, wantsAdvice }: { given: AwsEntry; wantsAdvice: boolean },
  context: ScrapeContext,
) {
  const regions = given.compliance === true ? access.regions : [];
  const parts = regions.map((region) => ({
    name: `compliance in ${region}`,
    run: () => readCompliance(access, region),
  }));
  const advice = { name: 'trusted_advisor', run: () => readTrustedAdvisor(access, context) };
  return inParallel(wantsAdvice ? [...parts, advice] : parts, { atOnce: 1, signal: context.signal });
}

/** What each costs, where a report says it; without it they cost what they did. */
async function readBill(access: AwsAccess, given: AwsEntry, context: ScrapeContext) {
  const { costReporting } = given;
  const place = { config: access.config, region: access.regions[0] };
  const run = () => readCosts(costReporting ?? {}, place, context);
  const parts = costReporting === undefined ? [] : [{ name: 'costReporting', run }];
  const { results, errors } = await inParallel(parts, { atOnce: 1, signal: context.signal });
  return { costs: results[0], errors };
}

export const awsKind: ScraperKind = {
  kind: 'aws',
  scrape: async (entry, context) => {
    const given = spec.parse(entry);
    const wants = wantedBy(given.include, given.exclude);
    const access = await openAws(given, context);
    const resources = await readResources(access, wants, context.signal);
    const wantsTrail = given.cloudtrail !== undefined ? wants([TRAIL]) : lower(given.include).includes(TRAIL);
    const trails = wantsTrail
      ? await readTrails(access, given.cloudtrail ?? {}, context)
      : { results: [], errors: [] };
    const wantsAdvice =
      given['trusted_advisor_check'] === true ||
      (given.include ?? []).some((name) => ADVISOR.test(String(name)));
    const advice = await readAdvice(access, { given, wantsAdvice }, context);
    const bill = await readBill(access, given, context);
    const documents = [...placeDocuments(access), ...resources.results.flat()];
    return output({
      documents: bill.costs === undefined ? documents : withCosts(documents, bill.costs, ACCOUNT),
      changes: trails.results.flat(),
      analyses: advice.results.flat(),
      errors: [...resources.errors, ...trails.errors, ...advice.errors, ...bill.errors],
      warnings: unknownNames(given),
      isComplete: resources.errors.length === 0 && advice.errors.length === 0,
    });
  },
};
