/** What belongs to the whole account: users, roles and policies of IAM, buckets of S3. */
import type { AwsConfig } from './aws-access.ts';
import { collect, labelsOf } from './aws-item.ts';
import type { AwsResource } from './aws-item.ts';

/** Its documents are JSON in a URL's spelling. */
function policyDocument(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(decodeURIComponent(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof URIError) return text;
    throw error;
  }
}

async function open(config: AwsConfig, region: string) {
  const iam = await import('@aws-sdk/client-iam');
  return { iam, paging: { client: new iam.IAMClient({ ...config, region }) } };
}

/** IAM users; when a password was used last is left out, since it changes all the time. */
export async function readUsers(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const { iam, paging } = await open(config, region);
  const found = await collect(iam.paginateListUsers(paging, {}), ({ Users }) => Users);
  return found.map(({ PasswordLastUsed: _used, ...user }) => ({
    type: 'AWS::IAM::User',
    ids: [user.Arn ?? '', user.UserName ?? ''],
    name: user.UserName ?? '',
    config: user,
    labels: labelsOf(user.Tags),
    createdAt: user.CreateDate,
  }));
}

/** IAM roles with who may take them; when one was used last is left out. */
export async function readRoles(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const { iam, paging } = await open(config, region);
  const found = await collect(iam.paginateListRoles(paging, {}), ({ Roles }) => Roles);
  return found.map(({ RoleLastUsed: _used, ...role }) => ({
    type: 'AWS::IAM::Role',
    ids: [role.Arn ?? '', role.RoleName ?? ''],
    name: role.RoleName ?? '',
    config: { ...role, AssumeRolePolicyDocument: policyDocument(role.AssumeRolePolicyDocument) },
    labels: labelsOf(role.Tags),
    createdAt: role.CreateDate,
  }));
}

/** The account's own; those of AWS are thousands and everybody's. */
export async function readPolicies(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const { iam, paging } = await open(config, region);
  const found = await collect(
    iam.paginateListPolicies(paging, { Scope: 'Local' }),
    ({ Policies }) => Policies,
  );
  return found.map((policy) => ({
    type: 'AWS::IAM::Policy',
    ids: [policy.Arn ?? '', policy.PolicyName ?? ''],
    name: policy.PolicyName ?? '',
    config: policy,
    labels: labelsOf(policy.Tags),
    createdAt: policy.CreateDate,
  }));
}

/** S3 buckets of the account, wherever they are. */
export async function readBuckets(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const s3 = await import('@aws-sdk/client-s3');
  const client = new s3.S3Client({
    ...config,
    region,
    ...(config.endpoint === undefined ? {} : { forcePathStyle: true }),
  });
  const found = await collect(s3.paginateListBuckets({ client }, {}), ({ Buckets }) => Buckets);
  return found.map((bucket) => ({
    type: 'AWS::S3::Bucket',
    ids: [bucket.Name ?? '', `arn:aws:s3:::${bucket.Name ?? ''}`],
    name: bucket.Name ?? '',
    config: bucket,
    createdAt: bucket.CreationDate,
  }));
}
