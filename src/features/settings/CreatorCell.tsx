import type { SettingsRow } from '../../contract/http/table-views.ts';
import { PersonName } from '../../ui/marks/Avatar.tsx';
import { messages as ui } from '../../ui/messages.ts';

/** Who made a resource. */
export function CreatorCell({ row }: { row: Pick<SettingsRow, 'created_by'> }) {
  const { created_by: creator } = row;
  if (creator === null || creator === undefined || typeof creator === 'string') return ui.nothing;
  return <PersonName name={creator.name ?? creator.id} image={creator.avatar} />;
}
