/** What a responder does most, where a thumb reaches it. */
import {
  IconFileSearch,
  IconMessage,
  IconPlayerTrackNext,
  IconShare2,
  IconUserPlus,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import { allowedStatuses } from '../../../domain/incident/incident.ts';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { AddEvidenceWizard } from '../evidence/AddEvidenceWizard.tsx';
import { useIncident } from '../incident-context.tsx';
import { messages } from './messages.ts';
import classes from './bottom-bar.module.css';
import { AddResponder } from '../responders/AddResponder.tsx';
import { useShare } from './ShareAction.tsx';
import { useRecords } from '../use-records.ts';
import { wordFor } from '../words.ts';

const words = messages.actions;
const IS_ROOT = [{ field: 'type', op: 'eq', value: 'root' }] as const;

function Action({ text, icon, onPress }: { text: string; icon: ReactNode; onPress: () => void }) {
  return (
    <button type="button" className={classes.action} onClick={onPress}>
      {icon}
      <span>{text}</span>
    </button>
  );
}

interface StatusSheetProps {
  row: IncidentRow;
  onChoose: (to: string) => void;
  onClose: () => void;
}

function StatusSheet({ row, onChoose, onClose }: StatusSheetProps) {
  return (
    <Sheet label={words.statusTitle} side="bottom" hasTitle onClose={onClose}>
      <ul className={classes.statuses}>
        {allowedStatuses(row.status).map((status) => (
          <li key={status}>
            <button
              type="button"
              className={classes.choice}
              aria-pressed={status === row.status}
              onClick={() => {
                onClose();
                if (status !== row.status) onChoose(status);
              }}
            >
              {wordFor('statuses', status)}
              {status === row.status && <span>{words.now}</span>}
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function AddOne({ onClose }: { onClose: () => void }) {
  const { incidentId } = useIncident();
  const { rows } = useRecords(incidentId, 'responder');
  const present = new Set(rows.flatMap(({ row }) => row.team_id ?? row.person_id ?? []));
  return <AddResponder present={present} onClose={onClose} />;
}

/** Evidence for the incident as a whole; the action plan has the way to any other hypothesis. */
function AddToRoot({ onClose }: { onClose: () => void }) {
  const { incidentId } = useIncident();
  const { rows } = useRecords(incidentId, 'hypothesis', { where: IS_ROOT });
  const [root] = rows;
  return root === undefined ? null : <AddEvidenceWizard hypothesisId={root.id} onClose={onClose} />;
}

interface BottomBarProps {
  row: IncidentRow;
  onStatus: (to: string) => void;
  onComment: () => void;
}

/** On hand-held screens, for what `access` allows. */
export function BottomBar({ row, onStatus, onComment }: BottomBarProps) {
  const { access } = useIncident();
  const share = useShare(row);
  const [opened, setOpened] = useState<'status' | 'evidence' | 'responder' | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <div className={classes.bar} role="toolbar" aria-label={words.label} data-bottom-bar>
        {access.incident && (
          <Action
            text={words.status}
            icon={<IconPlayerTrackNext size={21} stroke={1.6} aria-hidden />}
            onPress={() => setOpened('status')}
          />
        )}
        {access.comments && (
          <Action
            text={words.comment}
            icon={<IconMessage size={21} stroke={1.6} aria-hidden />}
            onPress={onComment}
          />
        )}
        {access.evidences && (
          <Action
            text={words.evidence}
            icon={<IconFileSearch size={21} stroke={1.6} aria-hidden />}
            onPress={() => setOpened('evidence')}
          />
        )}
        {access.responder && (
          <Action
            text={words.responder}
            icon={<IconUserPlus size={21} stroke={1.6} aria-hidden />}
            onPress={() => setOpened('responder')}
          />
        )}
        <Action text={words.share} icon={<IconShare2 size={21} stroke={1.6} aria-hidden />} onPress={share} />
      </div>
      {opened === 'status' && <StatusSheet row={row} onChoose={onStatus} onClose={close} />}
      {opened === 'evidence' && <AddToRoot onClose={close} />}
      {opened === 'responder' && <AddOne onClose={close} />}
    </>
  );
}
