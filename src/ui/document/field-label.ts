/** How fields of documents are called on screen: as people write them, not as programs do. */

const LABELS: Readonly<Record<string, string>> = {
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
};
const CAPITALS = new Set([
  'url',
  'id',
  'dns',
  'tls',
  'ssl',
  'aws',
  'gcp',
  'sql',
  'json',
  'ca',
  'api',
  'http',
  'smb',
  'sftp',
]);

/** `responseContent` is "Response content". */
export function fieldLabel(key: string): string {
  const known = LABELS[key];
  if (known !== undefined) return known;
  const words = key
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(' ')
    .map((word) => (CAPITALS.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
