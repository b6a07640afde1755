import { useQuery } from '../../../data/queries/use-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { MenuItem, MenuNote } from '../../../ui/overlays/Popover.tsx';
import { usePlaybooks, type ChoicesProps } from '../../../ui/page/Playbooks.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { messages as shared } from '../messages.ts';
import { playbookTitle } from '../playbook-title.ts';
import { messages } from './messages.ts';

function Title({ id, name }: { id: string; name: string }) {
  const found = useLiveRow('playbooks', id);
  return found === undefined || found === null ? name : playbookTitle(found.row);
}

/** What may be run on a thing, each opening its dialog. */
export function PlaybookChoices({ resource, onChosen }: ChoicesProps) {
  const { run } = usePlaybooks();
  const { kept, error } = useQuery('resource-playbooks', { kind: resource.kind, id: resource.id });
  if (kept === null) {
    if (error === null) return <MenuNote>{ui.loading}</MenuNote>;
    const isAway = error.code === 'network' || error.code === 'timeout';
    return <MenuNote>{isAway ? messages.choicesOffline : shared.errorText(error)}</MenuNote>;
  }
  if (kept.value.length === 0) return <MenuNote>{messages.noPlaybooks}</MenuNote>;
  return (
    <>
      {kept.value.map(({ id, name }) => (
        <MenuItem
          key={id}
          onSelect={() => {
            onChosen();
            run?.({ playbookId: id, resource });
          }}
        >
          <Title id={id} name={name} />
        </MenuItem>
      ))}
    </>
  );
}
