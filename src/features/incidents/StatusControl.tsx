import { useState } from 'react';
import type { IncidentRow } from '../../contract/collections.ts';
import { allowedStatuses, isIncidentStatus, type IncidentStatus } from '../../domain/incident/incident.ts';
import { Button } from '../../ui/Button.tsx';
import { SettledSelect } from '../../ui/SettledSelect.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { DoneDialog } from './DoneDialog.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { optionsFor, wordFor } from './words.ts';

const words = messages.page;
/** Walking through the options with the arrow keys must not set each of them. */
const STATUS_DELAY_MS = 200;

const isOver = (status: string) => status === 'resolved' || status === 'closed';

/** The status and where it may go; what ends the trouble first asks what will show that it ended (spec 3 §4). */
export function StatusControl({ row }: { row: IncidentRow }) {
  const { access, send } = useIncident();
  const [asked, setAsked] = useState<IncidentStatus | null>(null);
  if (!access.incident) return <Tag value={wordFor('statuses', row.status)} />;
  const apply = (to: IncidentStatus) => {
    setAsked(null);
    if (!isIncidentStatus(row.status) || to === row.status) return;
    void send({ name: 'set_incident_status', args: { id: row.id, from: row.status, to } });
  };
  const choose = (to: string) => {
    if (!isIncidentStatus(to)) return;
    if (to === 'mitigated' || to === 'resolved') setAsked(to);
    else apply(to);
  };
  return (
    <span className={classes.status}>
      <SettledSelect
        caption="hidden"
        label={words.status}
        value={row.status}
        delayMs={STATUS_DELAY_MS}
        options={optionsFor('statuses', allowedStatuses(row.status), row.status)}
        onSettle={choose}
      />
      <Button onClick={() => choose(isOver(row.status) ? 'open' : 'closed')}>
        {isOver(row.status) ? words.reopen : words.close}
      </Button>
      {asked !== null && <DoneDialog onClose={() => setAsked(null)} onDone={() => apply(asked)} />}
    </span>
  );
}
