/** Machines, disks and networks. */
import type { AwsConfig } from './aws-access.ts';
import { collect, labelsOf, parent, related } from './aws-item.ts';
import type { AwsResource } from './aws-item.ts';

const nameOf = (labels: Record<string, string>, id: string): string => labels['Name'] || id;

async function open(config: AwsConfig, region: string) {
  const ec2 = await import('@aws-sdk/client-ec2');
  return { ec2, paging: { client: new ec2.EC2Client({ ...config, region }) } };
}

/** EC2 instances of a region, below their subnet, linked to their security groups and volumes. */
export async function readInstances(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const { ec2, paging } = await open(config, region);
  const pages = ec2.paginateDescribeInstances(paging, {});
  const found = await collect(pages, (page) =>
    page.Reservations?.flatMap(({ Instances }) => Instances ?? []),
  );
  return found.map((instance) => {
    const id = instance.InstanceId ?? '';
    const labels = labelsOf(instance.Tags);
    return {
      type: 'AWS::EC2::Instance',
      ids: [id],
      name: nameOf(labels, id),
      config: instance,
      labels,
      createdAt: instance.LaunchTime,
      parents: [...parent('AWS::EC2::Subnet', instance.SubnetId), ...parent('AWS::EC2::VPC', instance.VpcId)],
      relationships: [
        ...(instance.SecurityGroups ?? []).flatMap(({ GroupId }) =>
          related('AWS::EC2::SecurityGroup', GroupId, 'SecurityGroupInstance'),
        ),
        ...(instance.BlockDeviceMappings ?? []).flatMap(({ Ebs }) =>
          related('AWS::EBS::Volume', Ebs?.VolumeId, 'VolumeInstance'),
        ),
      ],
    };
  });
}

/** EBS volumes of a region. */
export async function readVolumes(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const { ec2, paging } = await open(config, region);
  const found = await collect(ec2.paginateDescribeVolumes(paging, {}), ({ Volumes }) => Volumes);
  return found.map((volume) => {
    const id = volume.VolumeId ?? '';
    const labels = labelsOf(volume.Tags);
    const createdAt = volume.CreateTime;
    return {
      type: 'AWS::EBS::Volume',
      ids: [id],
      name: nameOf(labels, id),
      config: volume,
      labels,
      createdAt,
    };
  });
}

/** Networks of a region. */
export async function readVpcs(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const { ec2, paging } = await open(config, region);
  const found = await collect(ec2.paginateDescribeVpcs(paging, {}), ({ Vpcs }) => Vpcs);
  return found.map((vpc) => {
    const id = vpc.VpcId ?? '';
    const labels = labelsOf(vpc.Tags);
    return { type: 'AWS::EC2::VPC', ids: [id], name: nameOf(labels, id), config: vpc, labels };
  });
}

/** Subnets of a region; how many addresses are free is left out, since it changes all the time. */
export async function readSubnets(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const { ec2, paging } = await open(config, region);
  const found = await collect(ec2.paginateDescribeSubnets(paging, {}), ({ Subnets }) => Subnets);
  return found.map(({ AvailableIpAddressCount: _busy, ...subnet }) => {
    const id = subnet.SubnetId ?? '';
    const labels = labelsOf(subnet.Tags);
    const parents = parent('AWS::EC2::VPC', subnet.VpcId);
    return { type: 'AWS::EC2::Subnet', ids: [id], name: nameOf(labels, id), config: subnet, labels, parents };
  });
}

/** Security groups of a region, with their rules. */
export async function readSecurityGroups(config: AwsConfig, region: string): Promise<AwsResource[]> {
  const { ec2, paging } = await open(config, region);
  const found = await collect(ec2.paginateDescribeSecurityGroups(paging, {}), (page) => page.SecurityGroups);
  return found.map((group) => ({
    type: 'AWS::EC2::SecurityGroup',
    ids: [group.GroupId ?? ''],
    name: group.GroupName ?? group.GroupId ?? '',
    config: group,
    labels: labelsOf(group.Tags),
    parents: parent('AWS::EC2::VPC', group.VpcId),
  }));
}
