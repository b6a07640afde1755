import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { LiveRow, Pending } from '../../../contract/live-query.ts';
import { HYPOTHESIS_STATUSES, type HypothesisStatus } from '../../../domain/incident/incident.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { EditableText } from '../../../ui/fields/EditableText.tsx';
import { PendingMark } from '../../../ui/marks/PendingMark.tsx';
import { CommitSelect } from '../../../ui/fields/CommitSelect.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { AddComment } from '../comments/AddComment.tsx';
import { AddEvidenceWizard } from '../evidence/AddEvidenceWizard.tsx';
import { useIncident } from '../incident-context.tsx';
import classes from '../page.module.css';
import type { RecordOf } from '../use-records.ts';
import { optionsFor, wordFor } from '../words.ts';
import { AddLine } from './AddLine.tsx';
import { Evidences, HypothesisComments } from './Attached.tsx';
import { typeBelow } from './hypothesis-tree.ts';
import { HypothesisMenu } from './HypothesisMenu.tsx';
import { messages } from './messages.ts';
import own from './plan.module.css';

const words = messages;
/** Spec 3 §9. */
const STATUS_DELAY_MS = 200;
const TITLE_DELAY_MS = 1000;
const TITLE_LENGTH = 500;
/** Deeper ones stay readable on a phone. */
const MAX_INDENT = 6;

export interface CardFacts {
  row: RecordOf<'hypothesis'>;
  depth: number;
  pending: Pending;
  evidences: readonly LiveRow<RecordOf<'evidence'>>[];
  evidenceCount: number;
  comments: readonly LiveRow<RecordOf<'comment'>>[];
  commentCount: number;
  /** An evidence of it belongs to the definition of done. */
  hasDone: boolean;
  /** How many hang below it, at any depth. */
  belowCount: number;
  isFolded: boolean;
  family: ReadonlySet<string>;
}

interface HypothesisCardProps extends CardFacts {
  areAllCommentsOpen: boolean;
  isActive: boolean;
  onActive: () => void;
  onFold: (isFolded: boolean) => void;
  onKey: (event: KeyboardEvent<HTMLElement>) => void;
}

const isStatus = (text: string): text is HypothesisStatus =>
  (HYPOTHESIS_STATUSES as readonly string[]).includes(text);

type FoldProps = Pick<HypothesisCardProps, 'row' | 'belowCount' | 'isFolded' | 'onFold'>;

function Fold({ row, belowCount, isFolded, onFold }: FoldProps) {
  if (belowCount === 0) return null;
  return (
    <button
      type="button"
      className={`${own.fold} ${isFolded ? own.folded : ''}`}
      aria-expanded={!isFolded}
      aria-label={isFolded ? words.unfold(row.title, belowCount) : words.fold(row.title)}
      onClick={() => onFold(!isFolded)}
    >
      <IconChevronDown size={16} aria-hidden />
      {isFolded && words.hidden(belowCount)}
    </button>
  );
}

function Fields({ row }: Pick<HypothesisCardProps, 'row'>) {
  const { incidentId, access, send } = useIncident();
  const edit = (changes: { title?: string; status?: HypothesisStatus }) =>
    void send({ name: 'edit_hypothesis', args: { id: row.id, incidentId, changes } });
  // Spec 3 §2: without one it counts as likely.
  const status = row.status || 'likely';
  if (!access.incident) {
    return (
      <>
        <Tag value={wordFor('hypothesisStatuses', status)} />
        <strong className={classes.cardTitle}>{row.title}</strong>
      </>
    );
  }
  return (
    <>
      <CommitSelect
        caption="hidden"
        label={words.statusField}
        value={status}
        delayMs={STATUS_DELAY_MS}
        options={optionsFor('hypothesisStatuses', HYPOTHESIS_STATUSES, status)}
        onChosen={(next) => {
          if (isStatus(next)) edit({ status: next });
        }}
      />
      <span className={classes.cardTitle}>
        <EditableText
          label={words.titleField}
          value={row.title}
          delayMs={TITLE_DELAY_MS}
          maxLength={TITLE_LENGTH}
          onChosen={(title) => edit({ title })}
        />
      </span>
    </>
  );
}

function Head(props: FoldProps & Pick<HypothesisCardProps, 'pending' | 'family'>) {
  const { row, pending, family } = props;
  const { access } = useIncident();
  return (
    <div className={classes.cardHead}>
      <Fold {...props} />
      <Fields row={row} />
      <span className={own.type}>{words.types[row.type] ?? row.type}</span>
      {pending !== 'none' && <PendingMark state={pending} />}
      {access.incident && <HypothesisMenu row={row} family={family} />}
    </div>
  );
}

function Adding({ row }: Pick<HypothesisCardProps, 'row'>) {
  const { incidentId, access, send } = useIncident();
  const device = useDevice();
  const [what, setWhat] = useState<'hypothesis' | 'evidence' | 'comment' | null>(null);
  const close = () => setWhat(null);
  const type = typeBelow(row.type);
  if (what === 'hypothesis' && type !== null) {
    const args = { incidentId, parentId: row.id, type };
    const add = (title: string) =>
      send({ name: 'create_hypothesis', args: { id: device.newId(), ...args, title } });
    return <AddLine label={words.newTitle} onClose={close} onAdd={add} />;
  }
  if (what === 'comment')
    return <AddComment hypothesisId={row.id} label={words.newComment} onClose={close} />;
  return (
    <div className={classes.cardFoot}>
      {access.evidences && (
        <Button look="quiet" onClick={() => setWhat('evidence')}>
          {words.addEvidence}
        </Button>
      )}
      {access.comments && (
        <Button look="quiet" onClick={() => setWhat('comment')}>
          {words.addComment}
        </Button>
      )}
      {access.incident && type !== null && (
        <Button look="quiet" onClick={() => setWhat('hypothesis')}>
          {words.addBelow}
        </Button>
      )}
      {what === 'evidence' && <AddEvidenceWizard hypothesisId={row.id} onClose={close} />}
    </div>
  );
}

/** Follows Expand All and Collapse All until it is opened or closed by itself. */
function useOpenComments(areAllOpen: boolean) {
  const [chosen, setChosen] = useState<{ areAllOpen: boolean; isOpen: boolean } | null>(null);
  const isOpen = chosen?.areAllOpen === areAllOpen ? chosen.isOpen : areAllOpen;
  return { isOpen, toggle: () => setChosen({ areAllOpen, isOpen: !isOpen }) };
}

/** One hypothesis: how likely it is, what speaks for it, what was said about it. */
export function HypothesisCard(props: HypothesisCardProps) {
  const { row, depth, belowCount, isFolded, hasDone, areAllCommentsOpen } = props;
  const { isOpen, toggle } = useOpenComments(areAllCommentsOpen);
  return (
    <div
      role="row"
      className={`${classes.card} ${own.row} ${hasDone ? classes.cardDone : ''}`}
      style={{ '--depth': Math.min(depth, MAX_INDENT) } as React.CSSProperties}
      aria-level={depth + 1}
      {...(belowCount === 0 ? {} : { 'aria-expanded': !isFolded })}
      aria-label={row.title}
      tabIndex={props.isActive ? 0 : -1}
      data-hypothesis={row.id}
      onKeyDown={props.onKey}
      onFocus={props.onActive}
    >
      <div role="gridcell">
        <Head {...props} />
        <Evidences hypothesisId={row.id} shared={props.evidences} count={props.evidenceCount} />
        {props.commentCount > 0 && (
          <Button
            look="quiet"
            className={classes.commentsToggle ?? ''}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            {words.showComments(props.commentCount)}
          </Button>
        )}
        {isOpen && (
          <HypothesisComments hypothesisId={row.id} shared={props.comments} count={props.commentCount} />
        )}
        <Adding row={row} />
      </div>
    </div>
  );
}
