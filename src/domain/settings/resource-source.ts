/** Where a settings resource comes from, and so whether it is edited here (spec 2 §4, schema §1). */
export type ResourceSource = 'ui' | 'file' | 'kubernetes' | 'component' | 'other';

/** Nothing said means that it was made here. */
export function sourceOf(source: string | null | undefined): ResourceSource {
  if (source === null || source === undefined || source === '' || source === 'UI') return 'ui';
  if (source === 'ConfigFile') return 'file';
  const text = source.toLowerCase();
  if (text.startsWith('kubernetes') || text.startsWith('crd')) return 'kubernetes';
  if (text.startsWith('component') || text === 'topology') return 'component';
  return 'other';
}

/** The agent of this server itself has the all-zero id. */
export function isRemoteAgent(agentId: string | null | undefined): boolean {
  return typeof agentId === 'string' && agentId !== '' && !/^[0-]+$/.test(agentId);
}

interface SourcedRow {
  source?: string | null | undefined;
  agent?: { id: string } | null | undefined;
  agent_id?: unknown;
  /** Somebody of this server: agents push nobody's name. */
  created_by?: unknown;
}

/** The agent that runs it; null for this server. */
export function agentOf({ agent, agent_id: id }: SourcedRow): string | null {
  const agentId = agent?.id ?? (typeof id === 'string' ? id : null);
  return isRemoteAgent(agentId) ? agentId : null;
}

/**
 * True for what was made in the app, also for an agent to run: everything else would be overwritten by where it comes
 * from.
 */
export function isEditable(row: SourcedRow): boolean {
  const isMadeHere = agentOf(row) === null || (row.created_by ?? null) !== null;
  return sourceOf(row.source) === 'ui' && isMadeHere;
}
