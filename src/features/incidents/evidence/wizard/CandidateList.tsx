import type { KeyboardEvent } from 'react';
import { Age } from '../../../../ui/marks/Age.tsx';
import { SkeletonRows } from '../../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../../ui/feedback/StateNote.tsx';
import { Tag } from '../../../../ui/marks/Tag.tsx';
import { useAttachedIds } from './attached-ids.tsx';
import { MAX_CHOSEN, type Candidate, type CandidateGroup, type Chosen } from './candidate.ts';
import { messages } from './messages.ts';
import classes from './wizard.module.css';

interface CandidateListProps {
  isLoaded: boolean;
  groups: readonly CandidateGroup[];
  /** How many there are that aren't listed. */
  more: number;
  chosen: Chosen;
  onChosen: (chosen: Chosen) => void;
}

/** Up and down move between the boxes; the space bar and a press choose. */
function moveBetween(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const boxes = [...event.currentTarget.querySelectorAll<HTMLElement>('input[type=checkbox]:enabled')];
  const now = boxes.findIndex((box) => box === document.activeElement);
  event.preventDefault();
  boxes[Math.max(0, Math.min(boxes.length - 1, now + step))]?.focus();
}

function Line(props: { candidate: Candidate; isChosen: boolean; isFull: boolean; onToggle: () => void }) {
  const { candidate, isChosen, isFull, onToggle } = props;
  const { id, name, icon, mark, facts, at } = candidate;
  const isAttached = useAttachedIds().has(id);
  const known = [...new Set(facts)].filter((fact) => fact !== null && fact !== undefined && fact !== '');
  return (
    <li>
      <label className={`${classes.pick} ${isChosen ? classes.picked : ''}`}>
        <input type="checkbox" checked={isChosen} disabled={isFull && !isChosen} onChange={onToggle} />
        <span className={classes.icon}>{icon}</span>
        <span className={classes.pickText}>
          <bdi className={classes.name}>{name}</bdi>
          <span className={classes.facts}>
            {known.map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
            {isAttached && <Tag value={messages.attached} />}
          </span>
        </span>
        <span className={classes.side}>
          {mark}
          {at ? (
            <span className={classes.dim}>
              <Age at={at} />
            </span>
          ) : null}
        </span>
      </label>
    </li>
  );
}

/** What this device has that can be attached, in groups; several may be chosen. */
export function CandidateList({ isLoaded, groups, more, chosen, onChosen }: CandidateListProps) {
  const filled = groups.filter(({ candidates }) => candidates.length > 0);
  if (!isLoaded) return <SkeletonRows text={messages.loading} />;
  if (filled.length === 0) {
    return (
      <StateNote title={messages.nothing} role="status">
        <p>{messages.nothingHint}</p>
      </StateNote>
    );
  }
  const toggle = ({ id, draft }: Candidate) => {
    const next = new Map(chosen);
    if (!next.delete(id)) next.set(id, draft);
    onChosen(next);
  };
  return (
    <div onKeyDown={moveBetween}>
      {filled.map(({ title, candidates }) => (
        <section key={title} aria-label={title}>
          <h3 className={classes.group}>{title}</h3>
          <ul>
            {candidates.map((candidate) => (
              <Line
                key={candidate.id}
                candidate={candidate}
                isChosen={chosen.has(candidate.id)}
                isFull={chosen.size >= MAX_CHOSEN}
                onToggle={() => toggle(candidate)}
              />
            ))}
          </ul>
        </section>
      ))}
      {more > 0 && <p className={classes.dim}>{messages.more(more)}</p>}
    </div>
  );
}
