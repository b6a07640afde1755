import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { LiveRow, Pending } from '../../contract/live-query.ts';
import { HYPOTHESIS_STATUSES, type HypothesisStatus } from '../../domain/incident/incident.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/ConfirmButton.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { EditableText } from '../../ui/EditableText.tsx';
import { PendingMark } from '../../ui/PendingMark.tsx';
import { SettledSelect } from '../../ui/SettledSelect.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { AddLine } from './AddLine.tsx';
import { CommentList } from './CommentList.tsx';
import { EvidenceItem } from './EvidenceItem.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import type { RecordOf } from './use-records.ts';
import { optionsFor, wordFor } from './words.ts';

const words = messages.plan;
/** Spec 3 §9. */
const STATUS_DELAY_MS = 200;
const TITLE_DELAY_MS = 1000;
const TITLE_LENGTH = 500;
/** Deeper ones stay readable on a phone. */
const MAX_INDENT = 6;

interface HypothesisCardProps {
  row: RecordOf<'hypothesis'>;
  depth: number;
  pending: Pending;
  evidences: readonly LiveRow<RecordOf<'evidence'>>[];
  comments: readonly LiveRow<RecordOf<'comment'>>[];
  areCommentsOpen: boolean;
}

const isStatus = (text: string): text is HypothesisStatus =>
  (HYPOTHESIS_STATUSES as readonly string[]).includes(text);

function Head({ row, pending }: Pick<HypothesisCardProps, 'row' | 'pending'>) {
  const { incidentId, access, send } = useIncident();
  const edit = (changes: { title?: string; status?: HypothesisStatus }) =>
    void send({ name: 'edit_hypothesis', args: { id: row.id, incidentId, changes } });
  const mark = pending !== 'none' && <PendingMark state={pending} />;
  if (!access.incident) {
    return (
      <div className={classes.cardHead}>
        <Tag value={wordFor('hypothesisStatuses', row.status)} />
        <strong className={classes.cardTitle}>{row.title}</strong>
        {mark}
      </div>
    );
  }
  return (
    <div className={classes.cardHead}>
      <SettledSelect
        caption="hidden"
        label={words.statusField}
        // Spec 3 §2: without one it counts as likely.
        value={row.status || 'likely'}
        delayMs={STATUS_DELAY_MS}
        options={optionsFor('hypothesisStatuses', HYPOTHESIS_STATUSES, row.status || 'likely')}
        onSettle={(status) => {
          if (isStatus(status)) edit({ status });
        }}
      />
      <span className={classes.cardTitle}>
        <EditableText
          label={words.titleField}
          value={row.title}
          delayMs={TITLE_DELAY_MS}
          maxLength={TITLE_LENGTH}
          onSettle={(title) => edit({ title })}
        />
      </span>
      {mark}
      {row.type !== 'root' && (
        <ConfirmButton
          label={words.delete}
          icon={<IconTrash size={15} />}
          question={words.deleteQuestion}
          confirm={words.deleteConfirm}
          alternative={{ label: words.disprove, act: () => edit({ status: 'disproven' }) }}
          onConfirm={() => void send({ name: 'delete_hypothesis', args: { id: row.id, incidentId } })}
        />
      )}
    </div>
  );
}

function Adding({ row }: Pick<HypothesisCardProps, 'row'>) {
  const { incidentId, access, send } = useIncident();
  const device = useDevice();
  const [what, setWhat] = useState<'hypothesis' | 'evidence' | null>(null);
  const close = () => setWhat(null);
  if (what === 'hypothesis') {
    const add = (title: string) =>
      send({ name: 'create_hypothesis', args: { id: device.newId(), incidentId, parentId: row.id, title } });
    return <AddLine label={words.newTitle} onClose={close} onAdd={add} />;
  }
  if (what === 'evidence') {
    const id = device.newId();
    const add = (description: string) =>
      send({
        name: 'add_evidence',
        args: { id, incidentId, hypothesisId: row.id, type: 'comment', description },
      });
    return <AddLine label={words.newEvidence} isLong onClose={close} onAdd={add} />;
  }
  return (
    <div className={classes.cardFoot}>
      {access.evidences && (
        <Button look="quiet" onClick={() => setWhat('evidence')}>
          {words.addEvidence}
        </Button>
      )}
      {access.incident && (
        <Button look="quiet" onClick={() => setWhat('hypothesis')}>
          {words.addBelow}
        </Button>
      )}
    </div>
  );
}

/** One hypothesis: how likely it is, what speaks for it, what was said about it. */
export function HypothesisCard(props: HypothesisCardProps) {
  const { row, depth, pending, evidences, comments, areCommentsOpen } = props;
  const [isOpen, setIsOpen] = useState(areCommentsOpen);
  const hasDone = evidences.some((found) => found.row.definition_of_done);
  return (
    <li
      className={`${classes.card} ${hasDone ? classes.cardDone : ''}`}
      style={{ '--depth': Math.min(depth, MAX_INDENT) } as React.CSSProperties}
      aria-level={depth + 1}
      data-hypothesis={row.id}
    >
      <Head row={row} pending={pending} />
      <ul className={classes.evidences} aria-label={words.evidence}>
        {evidences.map((found) => (
          <EvidenceItem key={found.id} found={found} />
        ))}
        {evidences.length === 0 && <li className={classes.none}>{words.noEvidence}</li>}
      </ul>
      {comments.length > 0 && (
        <Button
          look="quiet"
          className={classes.commentsToggle ?? ''}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {words.showComments(comments.length)}
        </Button>
      )}
      {isOpen && <CommentList rows={comments} />}
      <Adding row={row} />
    </li>
  );
}
