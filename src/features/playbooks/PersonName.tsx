import type { RunListRow } from '../../contract/http/playbooks/playbooks.ts';
import { useLiveRow } from '../../data/queries/use-live-row.ts';
import { PersonName as Named } from '../../ui/marks/Avatar.tsx';
import { messages as ui } from '../../ui/messages.ts';

/** A person or a team by the name that this device knows; else what it was called by. */
export function ResourceName({ id }: { id: string }) {
  return useLiveRow('resources', id)?.row.name ?? id;
}

function Known({ id }: { id: string }) {
  const found = useLiveRow('resources', id);
  return <Named name={found?.row.name ?? id} image={found?.row.avatar ?? null} />;
}

/** Who did it, embedded or by id; a dash where nobody did. */
export function PersonName({ person }: { person: RunListRow['created_by'] }) {
  if (person === null || person === undefined) return ui.nothing;
  if (typeof person === 'string') return <Known id={person} />;
  return <Named name={person.name ?? person.id} image={person.avatar ?? null} />;
}
