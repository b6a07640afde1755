import { useQuery } from '../../../data/queries/use-query.ts';
import { keepPlaybooks } from '../../../data/queries/keep-playbooks.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { links } from '../../../domain/links.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { MenuItem, MenuNote, MenuRule } from '../../../ui/overlays/Popover.tsx';
import { usePlaybooks, type ChoicesProps } from '../../../ui/page/Playbooks.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { messages as shared } from '../messages.ts';
import { usePinned } from '../prepared/pinned.ts';
import { playbookTitle } from '../playbook-title.ts';
import { messages } from './messages.ts';

function Title({ id, name }: { id: string; name: string }) {
  const found = useLiveRow('playbooks', id);
  return found === undefined || found === null ? name : playbookTitle(found.row);
}

/** Keeps what these playbooks are, and what they wrote last, on this device. */
function Pin({ resource }: Pick<ChoicesProps, 'resource'>) {
  const [isPinned, change] = usePinned(resource);
  const toggle = () => {
    change(!isPinned);
    if (!isPinned) void keepPlaybooks([resource], new AbortController().signal);
  };
  return (
    <MenuItem isOn={isPinned} onSelect={toggle}>
      {messages.pin}
    </MenuItem>
  );
}

/** What may be run on a thing, each opening its dialog. */
export function PlaybookChoices({ resource, onChosen }: ChoicesProps) {
  const { run } = usePlaybooks();
  const device = useDevice();
  const { kept, error } = useQuery('resource-playbooks', { kind: resource.kind, id: resource.id });
  if (kept === null) {
    if (error === null) return <MenuNote>{ui.loading}</MenuNote>;
    const isAway = error.code === 'network' || error.code === 'timeout';
    return <MenuNote>{isAway ? messages.choicesOffline : shared.errorText(error)}</MenuNote>;
  }
  return (
    <>
      {kept.value.length === 0 && <MenuNote>{messages.noPlaybooks}</MenuNote>}
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
      <MenuRule />
      <MenuItem
        onSelect={() => {
          onChosen();
          device.navigate(links.playbookRunsOn(resource.kind, resource.id));
        }}
      >
        {messages.runsOn}
      </MenuItem>
      <Pin resource={resource} />
    </>
  );
}
