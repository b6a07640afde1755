/** Where a check or scraper runs: on this server, or on an agent. What is kept runs where it was put. */
import { useWatch } from 'react-hook-form';
import { useTable } from '../../../data/queries/use-table.ts';
import { isRemoteAgent } from '../../../domain/settings/resource-source.ts';
import { SelectInput } from '../../../ui/form/fields.tsx';
import { messages } from './messages.ts';
import type { ResourceValues } from './resource-form.ts';

const words = messages.form;
const BY_NAME = [{ column: 'name', isDescending: false }];

/** Nothing while there is no agent. See the head of this file. */
export function RunsOn({ isNew }: { isNew: boolean }) {
  const { kept } = useTable({ view: 'agent_names', order: BY_NAME });
  const chosen = useWatch<ResourceValues, 'agent'>({ name: 'agent' });
  const agents = (kept?.value.rows ?? []).filter(({ id }) => isRemoteAgent(id));
  if (agents.length === 0 && chosen === '') return null;
  return (
    <SelectInput
      name="agent"
      label={words.runsOn}
      placeholder={words.thisServer}
      options={agents.map(({ id, name }) => ({ value: id, label: name ?? id }))}
      isDisabled={!isNew}
      {...(chosen === '' ? {} : { hint: words.onAgent })}
    />
  );
}
