/** Kinds of scrapers, as their specs name them (spec 2 §2, contract §19.9). */
const NO_KINDS = new Set(['schedule', 'retention', 'logLevel', 'full', 'crdSync', 'system']);
const KINDS = new Set([
  'kubernetes',
  'azure',
  'kubernetesFile',
  'sql',
  'trivy',
  'aws',
  'file',
  'githubActions',
  'http',
  'azureDevops',
]);

/** The first kind in a spec; `custom` for anything else. */
export function scraperKind(spec: unknown): string {
  if (typeof spec !== 'object' || spec === null) return 'custom';
  const kind = Object.keys(spec).find((key) => !NO_KINDS.has(key));
  return kind !== undefined && KINDS.has(kind) ? kind : 'custom';
}
