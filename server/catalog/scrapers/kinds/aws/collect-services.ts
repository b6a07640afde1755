/** Databases, clusters, functions, tables, queues and topics. */
import { objectAt, textOf } from '../../health/health.ts';
import type { AwsConfig } from './aws-access.ts';
import { collect, labelsOf, parent, related } from './aws-item.ts';
import type { AwsResource } from './aws-item.ts';

const MASK = '******';
/** One call each; more than this many of a type are told by their name only. */
const MAX_DETAILS = 200;

/**
 * Each as a resource: the first with their details; the others, which are there, too, by name. Their ARNs are those of
 * the first but for the name, so that they stay the same items when they come to have details, or lose them.
 */
async function eachOf(
  keys: readonly string[],
  detailed: (key: string) => Promise<AwsResource>,
  nameOnly: (key: string) => { name: string; config: object },
): Promise<AwsResource[]> {
  const found: AwsResource[] = [];
  for (const key of keys.slice(0, MAX_DETAILS)) found.push(await detailed(key));
  const [like] = found;
  if (like === undefined) return found;
  const [arn] = like.ids;
  const prefix = arn.endsWith(like.name) ? arn.slice(0, -like.name.length) : '';
  const others = keys.slice(MAX_DETAILS).map((key): AwsResource => {
    const { name, config } = nameOnly(key);
    return { type: like.type, ids: [`${prefix}${name}`, key], name, config };
  });
  return [...found, ...others];
}

/** RDS instances of a region. */
export async function readDatabases(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const rds = await import('@aws-sdk/client-rds');
  const client = new rds.RDSClient({ ...config, region });
  const found = await collect(
    rds.paginateDescribeDBInstances({ client }, {}),
    ({ DBInstances }) => DBInstances,
  );
  return found.map(({ LatestRestorableTime: _moving, ...database }) => ({
    type: 'AWS::RDS::DBInstance',
    ids: [database.DBInstanceArn ?? '', database.DBInstanceIdentifier ?? ''],
    name: database.DBInstanceIdentifier ?? '',
    config: database,
    labels: labelsOf(database.TagList),
    createdAt: database.InstanceCreateTime,
    parents: parent('AWS::EC2::VPC', database.DBSubnetGroup?.VpcId),
    relationships: (database.VpcSecurityGroups ?? []).flatMap(({ VpcSecurityGroupId }) =>
      related('AWS::EC2::SecurityGroup', VpcSecurityGroupId, 'SecurityGroupDBInstance'),
    ),
  }));
}

/** EKS clusters of a region. */
export async function readKubernetesClusters(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const eks = await import('@aws-sdk/client-eks');
  const client = new eks.EKSClient({ ...config, region });
  const names = await collect(eks.paginateListClusters({ client }, {}), ({ clusters }) => clusters);
  const detailed = async (name: string): Promise<AwsResource> => {
    const { cluster } = await client.send(new eks.DescribeClusterCommand({ name }));
    return {
      type: 'AWS::EKS::Cluster',
      ids: [cluster?.arn ?? name, name],
      name,
      config: cluster,
      labels: labelsOf(cluster?.tags),
      createdAt: cluster?.createdAt,
      parents: parent('AWS::EC2::VPC', cluster?.resourcesVpcConfig?.vpcId),
      relationships: related('AWS::IAM::Role', cluster?.roleArn, 'RoleCluster'),
    };
  };
  return eachOf(names, detailed, (name) => ({ name, config: { name } }));
}

/** Lambda functions of a region; the values of their variables are masked. */
export async function readFunctions(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const lambda = await import('@aws-sdk/client-lambda');
  const client = new lambda.LambdaClient({ ...config, region });
  const found = await collect(lambda.paginateListFunctions({ client }, {}), ({ Functions }) => Functions);
  return found.map(({ Environment, ...own }) => {
    const names = Object.keys(Environment?.Variables ?? {});
    // People keep passwords there: their names are told, their values are not.
    const masked = Object.fromEntries(names.map((name) => [name, MASK]));
    return {
      type: 'AWS::Lambda::Function',
      ids: [own.FunctionArn ?? '', own.FunctionName ?? ''],
      name: own.FunctionName ?? '',
      config: names.length === 0 ? own : { ...own, Environment: { Variables: masked } },
      relationships: related('AWS::IAM::Role', own.Role, 'RoleFunction'),
      parents: parent('AWS::EC2::VPC', own.VpcConfig?.VpcId),
    };
  });
}

/** ECS clusters of a region with their services. */
export async function readContainers(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const ecs = await import('@aws-sdk/client-ecs');
  const client = new ecs.ECSClient({ ...config, region });
  const arns = await collect(ecs.paginateListClusters({ client }, {}), ({ clusterArns }) => clusterArns);
  const found: AwsResource[] = [];
  for (const cluster of arns) {
    const described = await client.send(
      new ecs.DescribeClustersCommand({ clusters: [cluster], include: ['TAGS'] }),
    );
    const { statistics: _moving, ...own } = described.clusters?.[0] ?? {};
    const name = own.clusterName ?? cluster;
    found.push({
      type: 'AWS::ECS::Cluster',
      ids: [cluster, name],
      name,
      config: own,
      labels: labelsOf(own.tags),
    });
    const services = await collect(
      ecs.paginateListServices({ client }, { cluster }),
      (page) => page.serviceArns,
    );
    for (let at = 0; at < services.length; at += 10) {
      const part = services.slice(at, at + 10);
      const answer = await client.send(
        new ecs.DescribeServicesCommand({ cluster, services: part, include: ['TAGS'] }),
      );
      for (const { events: _events, ...service } of answer.services ?? [])
        found.push({
          type: 'AWS::ECS::Service',
          ids: [service.serviceArn ?? ''],
          name: service.serviceName ?? '',
          config: service,
          labels: labelsOf(service.tags),
          createdAt: service.createdAt,
          parents: parent('AWS::ECS::Cluster', cluster),
          relationships: related('AWS::IAM::Role', service.roleArn, 'RoleService'),
        });
    }
  }
  return found;
}

/** DynamoDB tables of a region, without counts and sizes. */
export async function readTables(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const dynamo = await import('@aws-sdk/client-dynamodb');
  const client = new dynamo.DynamoDBClient({ ...config, region });
  const names = await collect(dynamo.paginateListTables({ client }, {}), ({ TableNames }) => TableNames);
  const detailed = async (name: string): Promise<AwsResource> => {
    const { Table } = await client.send(new dynamo.DescribeTableCommand({ TableName: name }));
    const { ItemCount: _items, TableSizeBytes: _size, ...table } = Table ?? {};
    const ids: [string, ...string[]] = [table.TableArn ?? name, name];
    return { type: 'AWS::DynamoDB::Table', ids, name, config: table, createdAt: table.CreationDateTime };
  };
  return eachOf(names, detailed, (name) => ({ name, config: { TableName: name } }));
}

/** SQS queues of a region. */
export async function readQueues(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const sqs = await import('@aws-sdk/client-sqs');
  const client = new sqs.SQSClient({ ...config, region });
  const urls = await collect(
    sqs.paginateListQueues({ client }, { MaxResults: 1000 }),
    ({ QueueUrls }) => QueueUrls,
  );
  const nameOf = (url: string): string => url.split('/').pop() ?? url;
  const detailed = async (url: string): Promise<AwsResource> => {
    const request = new sqs.GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] });
    const attributes = objectAt((await client.send(request)).Attributes);
    // How many wait moves all the time; that is a metric, not a setting.
    const steady = Object.entries(attributes).filter(([name]) => !name.startsWith('ApproximateNumber'));
    const arn = textOf(attributes['QueueArn']) || url;
    const settings = { QueueUrl: url, ...Object.fromEntries(steady) };
    return { type: 'AWS::SQS::Queue', ids: [arn, url], name: nameOf(url), config: settings };
  };
  return eachOf(urls, detailed, (url) => ({ name: nameOf(url), config: { QueueUrl: url } }));
}

/** SNS topics of a region. */
export async function readTopics(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const sns = await import('@aws-sdk/client-sns');
  const client = new sns.SNSClient({ ...config, region });
  const found = await collect(sns.paginateListTopics({ client }, {}), ({ Topics }) => Topics);
  return found.map(({ TopicArn: arn = '' }) => ({
    type: 'AWS::SNS::Topic',
    ids: [arn],
    name: arn.split(':').pop() ?? arn,
    config: { TopicArn: arn },
  }));
}
