/**
 * For tests only: plays the services of AWS behind one address, each in its own protocol: XML by action (EC2, IAM,
 * RDS, STS, SNS), JSON by target (ECS, DynamoDB, SQS, CloudTrail), and paths (S3, EKS, Lambda).
 */
import { startLocalServer } from './local-server.ts';
import type { Answered, Asked, LocalServer } from './local-server.ts';

const xml = (action: string, inner: string): Answered => ({
  headers: { 'content-type': 'text/xml' },
  body: `<${action}Response><${action}Result>${inner}</${action}Result></${action}Response>`,
});
/** EC2 has no result element. */
const ec2 = (action: string, inner: string): Answered => ({
  headers: { 'content-type': 'text/xml' },
  body: `<${action}Response>${inner}</${action}Response>`,
});

const XML: Readonly<Record<string, () => Answered>> = {
  GetCallerIdentity: () =>
    xml('GetCallerIdentity', '<Account>123456789012</Account><Arn>arn:aws:iam::123456789012:user/x</Arn>'),
  AssumeRole: () =>
    xml(
      'AssumeRole',
      '<Credentials><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>assumed</SecretAccessKey><SessionToken>session</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration></Credentials>',
    ),
  DescribeVpcs: () =>
    ec2('DescribeVpcs', '<vpcSet><item><vpcId>vpc-1</vpcId><state>available</state></item></vpcSet>'),
  DescribeSubnets: () =>
    ec2(
      'DescribeSubnets',
      '<subnetSet><item><subnetId>subnet-1</subnetId><vpcId>vpc-1</vpcId><state>available</state></item></subnetSet>',
    ),
  DescribeSecurityGroups: () =>
    ec2(
      'DescribeSecurityGroups',
      '<securityGroupInfo><item><groupId>sg-1</groupId><groupName>web</groupName><vpcId>vpc-1</vpcId></item></securityGroupInfo>',
    ),
  DescribeInstances: () =>
    ec2(
      'DescribeInstances',
      `<reservationSet><item><instancesSet><item><instanceId>i-1</instanceId><subnetId>subnet-1</subnetId><vpcId>vpc-1</vpcId>
      <instanceState><code>16</code><name>running</name></instanceState><launchTime>2024-07-25T08:10:24Z</launchTime>
      <groupSet><item><groupId>sg-1</groupId></item></groupSet>
      <tagSet><item><key>Name</key><value>web-1</value></item><item><key>team</key><value>shop</value></item></tagSet>
      </item></instancesSet></item></reservationSet>`,
    ),
  DescribeVolumes: () =>
    ec2(
      'DescribeVolumes',
      '<volumeSet><item><volumeId>vol-1</volumeId><status>in-use</status></item></volumeSet>',
    ),
  DescribeDBInstances: () =>
    xml(
      'DescribeDBInstances',
      '<DBInstances><DBInstance><DBInstanceIdentifier>shop</DBInstanceIdentifier><DBInstanceArn>arn:aws:rds:eu-west-1:1:db:shop</DBInstanceArn><DBInstanceStatus>storage-full</DBInstanceStatus></DBInstance></DBInstances>',
    ),
  ListUsers: () =>
    xml(
      'ListUsers',
      '<IsTruncated>false</IsTruncated><Users><member><UserName>ann</UserName><UserId>A</UserId><Path>/</Path><Arn>arn:aws:iam::1:user/ann</Arn><CreateDate>2024-01-01T00:00:00Z</CreateDate></member></Users>',
    ),
  ListRoles: () =>
    xml(
      'ListRoles',
      '<IsTruncated>false</IsTruncated><Roles><member><RoleName>node</RoleName><RoleId>R</RoleId><Path>/</Path><Arn>arn:aws:iam::1:role/node</Arn><CreateDate>2024-01-01T00:00:00Z</CreateDate><AssumeRolePolicyDocument>%7B%22Version%22%3A%222012-10-17%22%7D</AssumeRolePolicyDocument></member></Roles>',
    ),
  ListPolicies: () => xml('ListPolicies', '<IsTruncated>false</IsTruncated><Policies></Policies>'),
  ListTopics: () =>
    xml(
      'ListTopics',
      '<Topics><member><TopicArn>arn:aws:sns:eu-west-1:1:alerts</TopicArn></member></Topics>',
    ),
};

const EVENT = {
  EventId: 'e-1',
  EventName: 'RunInstances',
  EventSource: 'ec2.amazonaws.com',
  EventTime: 1_787_200_000,
  Username: 'ann',
  Resources: [{ ResourceType: 'AWS::EC2::Instance', ResourceName: 'i-1' }],
  CloudTrailEvent: JSON.stringify({ responseElements: { credentials: { sessionToken: 'never-stored' } } }),
};

const TARGETS: Readonly<Record<string, unknown>> = {
  ListClusters: { clusterArns: ['arn:aws:ecs:eu-west-1:1:cluster/demo'] },
  DescribeClusters: {
    clusters: [{ clusterArn: 'arn:aws:ecs:eu-west-1:1:cluster/demo', clusterName: 'demo', status: 'ACTIVE' }],
  },
  ListServices: { serviceArns: ['arn:aws:ecs:eu-west-1:1:service/demo/web'] },
  DescribeServices: {
    services: [
      {
        serviceArn: 'arn:aws:ecs:eu-west-1:1:service/demo/web',
        serviceName: 'web',
        status: 'ACTIVE',
        desiredCount: 2,
        runningCount: 1,
      },
    ],
  },
  ListTables: { TableNames: ['orders'] },
  DescribeTable: {
    Table: {
      TableName: 'orders',
      TableArn: 'arn:aws:dynamodb:eu-west-1:1:table/orders',
      TableStatus: 'ACTIVE',
      ItemCount: 7,
    },
  },
  ListQueues: { QueueUrls: ['https://sqs.eu-west-1.amazonaws.com/1/jobs'] },
  GetQueueAttributes: {
    Attributes: { QueueArn: 'arn:aws:sqs:eu-west-1:1:jobs', ApproximateNumberOfMessages: '3' },
  },
  LookupEvents: { Events: [EVENT, { ...EVENT, EventId: 'e-2', EventName: 'AssumeRole' }] },
};

const PATHS: Readonly<Record<string, unknown>> = {
  '/clusters': { clusters: ['prod'] },
  '/clusters/prod': {
    cluster: {
      name: 'prod',
      arn: 'arn:aws:eks:eu-west-1:1:cluster/prod',
      status: 'ACTIVE',
      resourcesVpcConfig: { vpcId: 'vpc-1' },
    },
  },
  '/2015-03-31/functions': {
    Functions: [
      {
        FunctionName: 'mail',
        FunctionArn: 'arn:aws:lambda:eu-west-1:1:function:mail',
        Environment: { Variables: { SMTP_PASSWORD: 'never-stored' } },
      },
    ],
  },
};
const BUCKETS =
  '<ListAllMyBucketsResult><Buckets><Bucket><Name>backups</Name><CreationDate>2024-01-01T00:00:00Z</CreationDate></Bucket></Buckets></ListAllMyBucketsResult>';

export interface RecordedAws extends LocalServer {
  /** Actions that are refused. */
  denied: Set<string>;
  /** Answers of actions that are others than the recorded ones. */
  others: Map<string, unknown>;
}

function answerOf(asked: Asked, { denied, others }: Pick<RecordedAws, 'denied' | 'others'>): Answered {
  const target = asked.headers['x-amz-target'];
  const action =
    typeof target === 'string'
      ? (target.split('.').pop() ?? '')
      : (new URLSearchParams(asked.body).get('Action') ?? '');
  if (denied.has(action)) {
    const error = '<Error><Code>AccessDenied</Code><Message>not authorized to do this</Message></Error>';
    const body =
      typeof target === 'string'
        ? { __type: 'AccessDeniedException' }
        : `<ErrorResponse>${error}</ErrorResponse>`;
    return { status: 403, body };
  }
  if (typeof target === 'string')
    return {
      headers: { 'content-type': 'application/x-amz-json-1.1' },
      body: others.get(action) ?? TARGETS[action],
    };
  const inXml = XML[action];
  if (inXml !== undefined) return inXml();
  if (asked.url.pathname === '/') return { headers: { 'content-type': 'text/xml' }, body: BUCKETS };
  const path = asked.url.pathname.replace(/\/$/, '');
  return PATHS[path] === undefined ? { status: 404, body: {} } : { body: PATHS[path] };
}

export async function startRecordedAws(): Promise<RecordedAws> {
  const denied = new Set<string>();
  const others = new Map<string, unknown>();
  const started = await startLocalServer((asked) => answerOf(asked, { denied, others }));
  return { ...started, denied, others };
}
