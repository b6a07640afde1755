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

/** True for what was made in the app: everything else would be overwritten by where it comes from. */
export function isEditable(row: {
  source?: string | null | undefined;
  agent?: { id: string } | null | undefined;
  agent_id?: unknown;
}): boolean {
  const agentId = row.agent?.id ?? (typeof row.agent_id === 'string' ? row.agent_id : null);
  return sourceOf(row.source) === 'ui' && !isRemoteAgent(agentId);
}
