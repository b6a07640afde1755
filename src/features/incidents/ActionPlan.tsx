/** The hypotheses of an incident as a tree, each with its evidences and comments (spec 3 §2). */
import { useMemo, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { AddLine } from './AddLine.tsx';
import { HypothesisCard } from './HypothesisCard.tsx';
import { hypothesisTree } from './hypothesis-tree.ts';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { useRecords } from './use-records.ts';
import { useDevice } from '../../ui/Device.tsx';

const words = messages.plan;

interface ActionPlanProps {
  hasComments: boolean;
  onComments: (hasComments: boolean) => void;
}

function AddFirst() {
  const { incidentId, access, send } = useIncident();
  const device = useDevice();
  const [isOpen, setIsOpen] = useState(false);
  if (!access.incident) return null;
  if (!isOpen) return <Button onClick={() => setIsOpen(true)}>{words.add}</Button>;
  return (
    <AddLine
      label={words.newTitle}
      onClose={() => setIsOpen(false)}
      onAdd={(title) =>
        send({ name: 'create_hypothesis', args: { id: device.newId(), incidentId, title, type: 'root' } })
      }
    />
  );
}

export function ActionPlan({ hasComments, onComments }: ActionPlanProps) {
  const { incidentId } = useIncident();
  const hypotheses = useRecords(incidentId, 'hypothesis');
  const evidences = useRecords(incidentId, 'evidence');
  const comments = useRecords(incidentId, 'comment', { isNewestFirst: true });
  const nodes = useMemo(() => hypothesisTree(hypotheses.rows.map(({ row }) => row)), [hypotheses.rows]);
  if (!hypotheses.isLoaded) return <SkeletonRows text={words.loading} />;
  if (nodes.length === 0) {
    return (
      <div className={classes.none}>
        <p>{words.none}</p>
        <AddFirst />
      </div>
    );
  }
  const cutAt = [hypotheses, evidences].find(({ rows, total }) => total > rows.length)?.rows.length;
  return (
    <>
      <div className={classes.planBar}>
        <Button look="quiet" aria-pressed={hasComments} onClick={() => onComments(!hasComments)}>
          {hasComments ? words.collapseAll : words.expandAll}
        </Button>
        {cutAt !== undefined && <span>{messages.page.onlyFirst(cutAt)}</span>}
      </div>
      <ol className={classes.tree}>
        {nodes.map(({ row, depth }) => (
          <HypothesisCard
            key={`${row.id} ${String(hasComments)}`}
            row={row}
            depth={depth}
            pending={hypotheses.rows.find(({ id }) => id === row.id)?.pending ?? 'none'}
            evidences={evidences.rows.filter((found) => found.row.hypothesis_id === row.id)}
            comments={comments.rows.filter((found) => found.row.hypothesis_id === row.id)}
            areCommentsOpen={hasComments}
          />
        ))}
      </ol>
    </>
  );
}
