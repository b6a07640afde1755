/** The incident isn't on this device: it is asked for, and what comes is shown as what it is. */
import { IconFlameOff } from '@tabler/icons-react';
import { useTable } from '../../../data/queries/use-table.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { buttonClass } from '../../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { messages } from './messages.ts';
import { OldIncidentPage } from './OldIncidentPage.tsx';

/** What isn't written like an id is nobody's. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Shown for incidents that are closed for so long that devices don't keep them, and for wrong links. */
export function NotHere({ incidentId }: { incidentId: string }) {
  const isAskable = ID.test(incidentId);
  const { kept, error } = useTable(
    isAskable
      ? { view: 'old_incident', where: [{ op: 'eq', column: 'id', value: incidentId }], limit: 1 }
      : null,
  );
  const [row] = kept?.value.rows ?? [];
  if (kept !== null && row !== undefined) return <OldIncidentPage row={row} kept={kept} />;
  if (isAskable && kept === null && error === null) return <SkeletonRows text={messages.loading} />;
  // Nobody could be asked: whether there is such an incident isn't known.
  const isUnknown = isAskable && kept === null;
  return (
    <StateNote
      level={1}
      title={isUnknown ? messages.notKept : messages.notFound}
      icon={<IconFlameOff size={32} stroke={1.3} />}
      actions={
        <AppLink href={links.incidents()} className={buttonClass('outline')}>
          {messages.back}
        </AppLink>
      }
    >
      <p>{isUnknown ? messages.notKeptHint : messages.notFoundHint}</p>
    </StateNote>
  );
}
