import type { SettingsRow } from '../../contract/http/table-views.ts';
import { links } from '../../domain/links.ts';
import { isRemoteAgent, sourceOf } from '../../domain/settings/resource-source.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { messages as ui } from '../../ui/messages.ts';
import { messages } from './messages.ts';

/** True of what was made here: there is nothing to say of where it comes from. */
export function isOwn({ source, agent }: Pick<SettingsRow, 'source' | 'agent'>): boolean {
  return !isRemoteAgent(agent?.id ?? '') && sourceOf(source) === 'ui';
}

/** Where a resource comes from; nothing for what was made here (spec 2 §4). */
export function SourceText({ row }: { row: Pick<SettingsRow, 'source' | 'agent'> }) {
  const { agent } = row;
  if (agent !== null && agent !== undefined && isRemoteAgent(agent.id))
    return <AppLink href={links.agent(agent.id)}>{messages.sources.agent(agent.name ?? agent.id)}</AppLink>;
  const source = sourceOf(row.source);
  return source === 'ui' ? ui.nothing : messages.sources[source](row.source ?? '');
}
