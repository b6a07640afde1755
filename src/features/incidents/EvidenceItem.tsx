import { IconTrash } from '@tabler/icons-react';
import type { LiveRow } from '../../contract/live-query.ts';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/AppLink.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/ConfirmButton.tsx';
import { PendingMark } from '../../ui/PendingMark.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import type { RecordOf } from './use-records.ts';
import { wordFor } from './words.ts';

const words = messages.evidence;
type EvidenceRow = RecordOf<'evidence'>;

/** The page of what the evidence points at; null for what has none. */
function hrefOf(row: EvidenceRow): string | null {
  if (row.check_id !== null) return links.check(row.check_id);
  if (row.config_id !== null) return links.config(row.config_id);
  return row.component_id === null ? null : links.component(row.component_id);
}

function Actions({ row }: { row: EvidenceRow }) {
  const { incidentId, send } = useIncident();
  const edit = (changes: { definition_of_done?: boolean; done?: boolean }) =>
    void send({ name: 'edit_evidence', args: { id: row.id, incidentId, changes } });
  const isDone = row.done === true;
  return (
    <span className={classes.evidenceActions}>
      <Button
        look="quiet"
        aria-pressed={row.definition_of_done}
        onClick={() => edit({ definition_of_done: !row.definition_of_done })}
      >
        {row.definition_of_done ? words.removeFromDone : words.addToDone}
      </Button>
      {row.type === 'comment' && row.definition_of_done && (
        <Button look="quiet" onClick={() => edit({ done: !isDone })}>
          {isDone ? words.unresolve : words.resolve}
        </Button>
      )}
      <ConfirmButton
        label={words.delete}
        icon={<IconTrash size={15} />}
        question={words.deleteQuestion}
        confirm={words.deleteConfirm}
        onConfirm={() => void send({ name: 'delete_evidence', args: { id: row.id, incidentId } })}
      />
    </span>
  );
}

/** One evidence: what it is, what it says, and whether it belongs to the definition of done. */
export function EvidenceItem({ found: { row, pending } }: { found: LiveRow<EvidenceRow> }) {
  const { access } = useIncident();
  const href = hrefOf(row);
  return (
    <li className={classes.evidence} data-evidence={row.id}>
      <span className={classes.evidenceText}>
        <Tag value={wordFor('evidenceTypes', row.type)} />
        <span className={classes.body}>{row.description || words.noDescription}</span>
        {href !== null && <AppLink href={href}>{words.open}</AppLink>}
        {row.definition_of_done && <Tag value={words.inDone} />}
        {row.definition_of_done && row.done === true && <Tag value={words.resolved} />}
        {pending !== 'none' && <PendingMark state={pending} />}
      </span>
      {access.evidences && <Actions row={row} />}
    </li>
  );
}
