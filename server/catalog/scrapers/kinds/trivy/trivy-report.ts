/**
 * What a report of Trivy says, in the forms that its versions write: of one artifact, or of the resources of a
 * cluster. A finding is told once an item, however many packages have it. Matches of secrets are not kept.
 */
import { listOf, objectAt, textOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { ScrapedAnalysis } from '../../specs/scraped.ts';
import { analysis } from '../services/scraped-parts.ts';
import { addTo } from '../../../../../src/lib/group-by.ts';
import { lookupTable } from '../../../../../src/lib/lookup-table.ts';

export interface TrivyTarget {
  /** A resource of a cluster; null for an artifact. */
  resource: { kind: string; namespace: string; name: string } | null;
  name: string;
  /** `container_image`, `filesystem` … */
  artifactType: string;
  /** About the artifact itself; without what changes at every run. */
  facts: Json;
  results: readonly Json[];
}

const SEVERITY = lookupTable<string>({
  CRITICAL: 'critical',
  HIGH: 'high',
  MEDIUM: 'medium',
  LOW: 'low',
});
const severityOf = (finding: Json): string => SEVERITY[textOf(finding['Severity']).toUpperCase()] ?? 'info';

function resourceTarget(entry: Json): TrivyTarget {
  const [kind = '', namespace = '', name = ''] = [entry['Kind'], entry['Namespace'], entry['Name']].map(
    textOf,
  );
  return {
    resource: { kind, namespace, name },
    name,
    artifactType: 'kubernetes',
    facts: {},
    results: listOf(entry['Results']),
  };
}

/** The targets of a report; none for a document that is no report. */
export function targetsOf(report: unknown): { cluster: string; targets: TrivyTarget[] } {
  const json = objectAt(report);
  const cluster = textOf(json['ClusterName']);
  const isCluster = ['Resources', 'Vulnerabilities', 'Misconfigurations'].some((name) =>
    Array.isArray(json[name]),
  );
  if (isCluster) {
    const entries = [json['Resources'], json['Vulnerabilities'], json['Misconfigurations']].flatMap(listOf);
    return { cluster, targets: entries.map(resourceTarget) };
  }
  const name = textOf(json['ArtifactName']);
  if (name === '') return { cluster, targets: [] };
  const { ImageID, RepoTags, RepoDigests, OS } = objectAt(json, 'Metadata');
  const facts = {
    ArtifactName: name,
    ArtifactType: json['ArtifactType'],
    ImageID,
    RepoTags,
    RepoDigests,
    OS,
  };
  const artifactType = textOf(json['ArtifactType']);
  return {
    cluster,
    targets: [{ resource: null, name, artifactType, facts, results: listOf(json['Results']) }],
  };
}

interface Finding {
  id: string;
  type: string;
  severity: string;
  summary: string;
  message: string;
  url: string;
  /** Where it was found, one for each place. */
  place: Json;
}

function vulnerabilities(result: Json): Finding[] {
  return listOf(result['Vulnerabilities']).map((entry) => ({
    id: textOf(entry['VulnerabilityID']),
    type: 'security',
    severity: severityOf(entry),
    summary: textOf(entry['Title']) || textOf(entry['VulnerabilityID']),
    message: textOf(entry['Description']),
    url: textOf(entry['PrimaryURL']),
    place: {
      target: result['Target'],
      package: entry['PkgName'],
      installed: entry['InstalledVersion'],
      fixed: entry['FixedVersion'],
    },
  }));
}

function misconfigurations(result: Json): Finding[] {
  const failed = listOf(result['Misconfigurations']).filter((entry) => entry['Status'] !== 'PASS');
  return failed.map((entry) => ({
    id: textOf(entry['ID']) || textOf(entry['AVDID']),
    type: 'security',
    severity: severityOf(entry),
    summary: textOf(entry['Title']),
    message: [textOf(entry['Message']), textOf(entry['Resolution'])].filter((text) => text !== '').join(' '),
    url: textOf(entry['PrimaryURL']),
    place: { target: result['Target'], startLine: objectAt(entry, 'CauseMetadata')['StartLine'] },
  }));
}

function secrets(result: Json): Finding[] {
  return listOf(result['Secrets']).map((entry) => ({
    id: textOf(entry['RuleID']),
    type: 'security',
    severity: severityOf(entry),
    summary: textOf(entry['Title']),
    message: 'A secret lies in the artifact',
    url: '',
    place: { target: result['Target'], startLine: entry['StartLine'], endLine: entry['EndLine'] },
  }));
}

function licenses(result: Json): Finding[] {
  return listOf(result['Licenses']).map((entry) => ({
    id: `license ${textOf(entry['Name'])}`,
    type: 'compliance',
    severity: severityOf(entry),
    summary: `License ${textOf(entry['Name'])} (${textOf(entry['Category']) || 'unknown'})`,
    message: '',
    url: textOf(entry['Link']),
    place: { target: result['Target'], package: entry['PkgName'], file: entry['FilePath'] },
  }));
}

const READERS = [vulnerabilities, misconfigurations, secrets, licenses];
/** Places of one finding that are kept. */
const MAX_PLACES = 50;

/** The findings of a target, one for each id, the worst first. */
export function findingsOf(target: TrivyTarget, about: ScrapedAnalysis['about']): ScrapedAnalysis[] {
  const groups = new Map<string, Finding[]>();
  for (const result of target.results)
    for (const finding of READERS.flatMap((read) => read(result)))
      if (finding.id !== '') addTo(groups, finding.id, finding);
  return [...groups].flatMap(([id, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const found = analysis({
      about,
      analyzer: id,
      analysisType: first.type,
      severity: first.severity,
      summary: first.summary,
      message: first.message,
      status: 'open',
      source: 'Trivy',
      analysis: { url: first.url, places: group.slice(0, MAX_PLACES).map(({ place }) => place) },
    });
    return [found];
  });
}
