/**
 * What this server can't run, and why: kinds without a runner, parts of a specification that it has no means for, and
 * what its settings switch off. A check with a reason is unknown, never healthy and never unhealthy. Knows neither
 * database nor network; what only a run can find out is told by the run (`KindResult.notRun`).
 */
import type { EgressTrust } from '../../platform/egress/egress-guard.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import type { CheckEntry } from '../documents/canary-document.ts';
import type { CheckSpec, SpecOf } from '../documents/check-specs.ts';

/** What decides besides the specification. */
export interface RunEnvironment {
  isExecAllowed: boolean;
  trust: EgressTrust;
}

const NOT_SUPPORTED = 'is not supported by this server';
const EXEC_OFF =
  'exec checks are switched off on this server; its operator can start it with ALLOW_EXEC=true';

/** Why an exec check can't run here, or null. */
export function execNotRun(
  spec: SpecOf<'exec'>,
  place: Pick<RunEnvironment, 'isExecAllowed'>,
): string | null {
  if (!place.isExecAllowed) return EXEC_OFF;
  const field = (['checkout', 'connections'] as const).find((key) => spec[key] !== undefined);
  return field === undefined ? null : `${field} ${NOT_SUPPORTED}`;
}

const REMOTE_FOLDERS = ['awsConnection', 'gcpConnection', 'smbConnection', 'sftpConnection'] as const;

/** Why a folder check can't run here, or null. */
export function folderNotRun(spec: SpecOf<'folder'>, place: RunEnvironment): string | null {
  // Names of files are the operator's to show; whoever may run commands can list folders anyway.
  if (place.trust === 'user' && !place.isExecAllowed)
    return 'folder checks run from canary files only, or with ALLOW_EXEC=true';
  const remote = REMOTE_FOLDERS.find((field) => spec[field] !== undefined);
  if (remote !== undefined) return `${remote} ${NOT_SUPPORTED}; only local folders are checked`;
  const scheme = /^([a-z0-9]+):\/\//i.exec(spec.path)?.[1] ?? (spec.path.startsWith('\\\\') ? 'smb' : null);
  return scheme === null ? null : `a folder at ${scheme}:// ${NOT_SUPPORTED}; only local folders are checked`;
}

const HTTP_FLAGS = ['ntlm', 'ntlmv2', 'digest'] as const;

function httpNotRun(spec: SpecOf<'http'>): string | null {
  if (spec.crawl !== undefined) return `crawl ${NOT_SUPPORTED}`;
  const flag = HTTP_FLAGS.find((key) => spec[key] === true);
  return flag === undefined ? null : `${flag} sign-in ${NOT_SUPPORTED}`;
}

function specNotRun(check: CheckSpec, place: RunEnvironment): string | null {
  switch (check.kind) {
    case 'http':
      return httpNotRun(check.spec);
    case 'exec':
      return execNotRun(check.spec, place);
    case 'folder':
      return folderNotRun(check.spec, place);
    case 'tcp':
    case 'dns':
    case 'icmp':
      return null;
  }
}

const VALUE_SOURCES: Readonly<Record<string, string>> = {
  helmRef: 'values of helm releases',
  serviceAccount: 'tokens of service accounts',
};

/** A value anywhere in the specification that comes from where this server can't read. */
function unreadableValue(value: unknown): string | null {
  if (Array.isArray(value)) return firstOf(value.map(unreadableValue));
  if (!isRecord(value)) return null;
  const from = value['valueFrom'];
  const source = isRecord(from)
    ? Object.keys(VALUE_SOURCES).find((key) => (from[key] ?? null) !== null)
    : undefined;
  if (source !== undefined)
    return `valueFrom.${source}: ${VALUE_SOURCES[source]} are not read by this server`;
  return firstOf(Object.values(value).map(unreadableValue));
}

function firstOf(reasons: readonly (string | null)[]): string | null {
  return reasons.find((reason) => reason !== null) ?? null;
}

/** Why this server can't run an entry by itself, or null. */
export function reasonNotRun(entry: CheckEntry, place: RunEnvironment): string | null {
  if (entry.runnable === null) return `checks of kind ${entry.key} are not run by this server`;
  return specNotRun(entry.runnable, place) ?? unreadableValue(entry.raw);
}

/** The reasons of a canary's entries; one that depends on a check that isn't run can't run either. */
export function reasonsNotRun(
  entries: readonly CheckEntry[],
  place: RunEnvironment,
): Map<CheckEntry, string> {
  const reasons = new Map<CheckEntry, string>();
  for (const entry of entries) {
    const reason = reasonNotRun(entry, place);
    if (reason !== null) reasons.set(entry, reason);
  }
  let isDone = false;
  while (!isDone) {
    const names = new Set([...reasons.keys()].map(({ name }) => name));
    const found = entries.filter((entry) => !reasons.has(entry)).flatMap((entry) => waitsFor(entry, names));
    for (const [entry, reason] of found) reasons.set(entry, reason);
    isDone = found.length === 0;
  }
  return reasons;
}

function waitsFor(entry: CheckEntry, notRun: ReadonlySet<string>): [CheckEntry, string][] {
  const needed = (entry.runnable?.spec.dependsOn ?? []).find((name) => notRun.has(name));
  return needed === undefined ? [] : [[entry, `depends on "${needed}", which is not run by this server`]];
}
