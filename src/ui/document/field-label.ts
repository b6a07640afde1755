/** How fields of documents are called on screen: as people write them, not as programs do. */
import { lookupTable } from '../../lib/lookup-table.ts';

const LABELS = lookupTable<string>({
  url: 'URL',
  addr: 'Address',
  db: 'Database',
  thresholdMillis: 'Threshold (ms)',
  maxSSLExpiry: 'Certificate valid for at least (days)',
  packetLossThreshold: 'Packet loss at most (%)',
  expr: 'CEL',
  jsonPath: 'JSONPath',
  valueExpr: 'Value as CEL',
  disallowedURLFilters: 'Disallowed URL filters',
  dependsOn: 'Runs after',
  tz: 'Time zone',
  pubsub: 'Pub/Sub',
  redhat: 'Red Hat',
  service_now: 'ServiceNow',
  awsSigV4: 'AWS Signature V4',
});
/** Words that are written in a way of their own. */
const WRITTEN: ReadonlyMap<string, string> = new Map(
  'AMS AWS API CA ClickHouse CloudTrail CloudWatch CRD DB DevOps DN DNS EC2 GCP GCS GitHub gRPC HTTP ICMP ID IMAP JavaScript JMeter JSON JUnit LDAP MongoDB MSSQL MySQL NTLM NTLMv2 NTP OAuth OAuth2 OpenSearch OpenSSF SFTP SMB SMTP SQL SRV SSH SSL TCP TLS URL VMware WebSocket'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

/** `responseContent` is "Response content", `skipTLSVerify` "Skip TLS verify". */
export function fieldLabel(key: string): string {
  const known = LABELS[key];
  if (known !== undefined) return known;
  const words = key
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z]{2,})/g, '$1 $2')
    .split(' ')
    .map((word) => WRITTEN.get(word.toLowerCase()) ?? word.toLowerCase());
  const text = words.join(' ');
  return WRITTEN.has(text.split(' ')[0]?.toLowerCase() ?? '')
    ? text
    : text.charAt(0).toUpperCase() + text.slice(1);
}
