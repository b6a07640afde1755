/**
 * The fields that contract §19.9 names for the forms of health checks and scrapers, kind by kind: each is in the schema that
 * makes the form, so that it can be filled in without YAML. Where the servers of this family read another name (schema §5.2),
 * it is that one. SMB is not read here: its connection is kept as it was written.
 */
import { describe, expect, test } from 'vitest';
import { schemaFile } from '../../server/app/schemas/schema-files.ts';
import { isRecord, recordOf } from '../../src/lib/is-record.ts';

type Node = Readonly<Record<string, unknown>>;

function formOf(file: string) {
  const root = recordOf(JSON.parse(schemaFile(file) ?? 'null'));
  const resolved = (node: unknown): Node => {
    const { $ref: ref } = recordOf(node);
    if (typeof ref !== 'string') return recordOf(node);
    return resolved(recordOf(root['definitions'])[ref.replace('#/definitions/', '')]);
  };
  /** The alternatives of a node, itself first. */
  const forms = (node: unknown): Node[] => {
    const own = resolved(node);
    const others = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => [own[word] ?? []].flat());
    return [own, ...others.flatMap(forms)];
  };
  /** What stands under a name, in the items of a list, too. */
  const under = (node: unknown, name: string): unknown[] =>
    forms(node).flatMap((form) => {
      const { properties, items } = form;
      const own = isRecord(properties) && name in properties ? [properties[name]] : [];
      return [...own, ...(items === undefined ? [] : under(items, name))];
    });
  const has = (path: string): boolean =>
    path.split('.').reduce((nodes: unknown[], name) => nodes.flatMap((node) => under(node, name)), [root])
      .length > 0;
  return (kind: string, fields: string): string[] =>
    fields.split(/\s+/).filter((field) => field !== '' && !has(`${kind}.${field}`));
}

const missingOfCheck = formOf('canary.spec.schema.json');
const missingOfScraper = formOf('config_scraper.spec.schema.json');

const CHECKS: Readonly<Record<string, string>> = {
  http: `url method body headers.name headers.value ntlm ntlmv2 responseCodes thresholdMillis responseContent maxSSLExpiry
    test display transform`,
  exec: 'script test display transform',
  alertManager: 'url username password alerts filters ignore display transform',
  elasticsearch: 'url index query results test username password display transform',
  redis: 'addr db test username password display transform',
  mongo: 'connection url test username password display transform',
  icmp: 'endpoint packetCount packetLossThreshold thresholdMillis',
  folder: `path minAge maxAge minCount maxCount minSize maxSize availableSize totalSize filter.minAge filter.maxAge
    filter.minSize filter.maxSize filter.regex awsConnection.connection awsConnection.region awsConnection.endpoint
    awsConnection.objectPath awsConnection.secretKey awsConnection.accessKey awsConnection.skipTLSVerify
    awsConnection.usePathStyle gcpConnection.connection gcpConnection.endpoint gcpConnection.credentials
    sftpConnection.connection sftpConnection.port sftpConnection.host smbConnection test display transform`,
  tcp: 'endpoint test thresholdMillis display transform',
};

describe('fields of the forms of health checks', () => {
  test.each(Object.entries(CHECKS))('%s', (kind, fields) => {
    expect(missingOfCheck(kind, `name icon description ${fields}`)).toEqual([]);
  });
});

const ADVANCED = 'createFields deleteFields timestampFormat items';
const SCRAPERS: Readonly<Record<string, string>> = {
  kubernetes:
    'clusterName kubeconfig watch exclusions namespace scope since selector fieldSelector maxInflight',
  // In the contract's form below `awsConnection`, with underscores in names that servers read without.
  aws: `accessKey secretKey region endpoint skipTLSVerify assumeRole cloudtrail.exclude cloudtrail.maxAge
    trusted_advisor_check include exclude costReporting.s3BucketPath costReporting.table costReporting.database
    costReporting.region`,
  azure: 'connection subscriptionID tags createFields deleteFields',
  azureDevops: 'name connection organization personalAccessToken pipelines projects tags',
  file: `name connection type url id format icon tags ignore paths ${ADVANCED}`,
  githubActions: 'name connection owner repository personalAccessToken workflows tags',
  // `ignore` and `paths` of the contract's form are those of files: a call has none.
  http: `name connection url type id format icon tags ${ADVANCED}`,
  kubernetesFile: `type id selector.kind selector.name selector.namespace selector.fieldSelector selector.labelSelector
    container format files.format files.path tags ${ADVANCED}`,
  sql: 'type id auth.username auth.password connection driver format query items timestampFormat createFields deleteFields',
  trivy: `compliance ignoreUnfixed ignoredLicenses licenseFull scanners severity tags timeout timestampFormat version
    vulnType kubernetes.components kubernetes.context kubernetes.kubeconfig kubernetes.namespace`,
};

describe('fields of the forms of scrapers', () => {
  test.each(Object.entries(SCRAPERS))('%s', (kind, fields) => {
    expect(missingOfScraper(kind, fields)).toEqual([]);
  });

  test('what all share', () => {
    const shared = `changes.name changes.age changes.count types.name types.createdAge types.updatedAge types.deletedAge`;
    expect(missingOfScraper('retention', shared)).toEqual([]);
  });
});
