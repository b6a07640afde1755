/** The hypotheses of an incident as a tree, each with its evidences and comments (spec 3 §2). */
import { useMemo, useState } from 'react';
import type { Condition } from '../../../contract/live-query.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { Pager } from '../../../ui/tables/Pager.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { useIncident } from '../incident-context.tsx';
import classes from '../page.module.css';
import { PAGE_ROWS } from '../page-rows.ts';
import { useRecords } from '../use-records.ts';
import { AddLine } from './AddLine.tsx';
import { HypothesisCard } from './HypothesisCard.tsx';
import { unfolded, withDescendants } from './hypothesis-tree.ts';
import { messages } from './messages.ts';
import { useAttached } from './use-attached.ts';
import { usePlan } from './use-plan.ts';
import { useTreeKeys, type TreeRow } from './use-tree-keys.ts';

const words = messages;
const IS_DONE: readonly Condition[] = [{ field: 'definition_of_done', op: 'eq', value: true }];

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

function useFolded() {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const fold = (id: string, isFolded: boolean) =>
    setFolded((before) => {
      const next = new Set(before);
      if (isFolded) next.add(id);
      else next.delete(id);
      return next;
    });
  return { folded, fold };
}

/** What hangs on the hypotheses of this window, and which of them the definition of done watches. */
function useCards(incidentId: string, ids: readonly string[]) {
  const evidences = useAttached('evidence', ids);
  const comments = useAttached('comment', ids);
  const done = useRecords(incidentId, 'evidence', { where: IS_DONE });
  return {
    of: (id: string) => ({
      evidences: evidences.of(id),
      evidenceCount: evidences.countOf(id),
      comments: comments.of(id),
      commentCount: comments.countOf(id),
      hasDone:
        done.rows.some(({ row }) => row.hypothesis_id === id) ||
        evidences.of(id).some(({ row }) => row.definition_of_done),
    }),
  };
}

/** `hasComments` unfolds the comments of all hypotheses. */
export function ActionPlan({ hasComments, onComments }: ActionPlanProps) {
  const { incidentId } = useIncident();
  const [start, setStart] = useState(0);
  const plan = usePlan(incidentId, start);
  const { folded, fold } = useFolded();
  const ids = useMemo(() => plan.nodes.map(({ row }) => row.id), [plan.nodes]);
  const cards = useCards(incidentId, ids);
  const seen = unfolded(plan.nodes, folded);
  const families = new Map(ids.map((id) => [id, withDescendants(plan.nodes, id)]));
  const rows = seen.map<TreeRow>(({ row: { id }, above }) => ({
    id,
    above,
    hasBelow: (families.get(id)?.size ?? 1) > 1,
    isFolded: folded.has(id),
  }));
  const keys = useTreeKeys(rows, fold);
  if (!plan.isLoaded) return <SkeletonRows text={words.loading} />;
  if (plan.nodes.length === 0) {
    return (
      <div className={classes.none}>
        <p>{words.none}</p>
        <AddFirst />
      </div>
    );
  }
  return (
    <>
      <div className={classes.planBar}>
        <Button look="quiet" aria-pressed={hasComments} onClick={() => onComments(!hasComments)}>
          {hasComments ? words.collapseAll : words.expandAll}
        </Button>
      </div>
      <div role="treegrid" aria-label={words.tree} className={classes.tree}>
        {seen.map(({ row, depth, above }) => {
          const family = families.get(row.id) ?? new Set([row.id]);
          const isFolded = folded.has(row.id);
          const key = { id: row.id, above, hasBelow: family.size > 1, isFolded };
          return (
            <HypothesisCard
              key={row.id}
              {...cards.of(row.id)}
              row={row}
              depth={depth}
              pending={plan.found.get(row.id)?.pending ?? 'none'}
              belowCount={family.size - 1}
              isFolded={isFolded}
              family={family}
              areAllCommentsOpen={hasComments}
              isActive={keys.activeId === row.id}
              onActive={() => keys.setActive(row.id)}
              onFold={(next) => fold(row.id, next)}
              onKey={(event) => keys.handleKey(event, key)}
            />
          );
        })}
      </div>
      <Pager
        isOldestFirst
        start={plan.start}
        count={plan.count}
        total={plan.total}
        pageSize={PAGE_ROWS}
        onStart={setStart}
      />
    </>
  );
}
