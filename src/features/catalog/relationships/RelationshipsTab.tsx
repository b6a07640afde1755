/**
 * What a catalog item is related to (spec 3 §2 'Relationships and insights'), as a table or as a graph, all out
 * of this device: it is the same without a network.
 */
import { IconBinaryTree2, IconFilterOff } from '@tabler/icons-react';
import { Suspense, useCallback, useMemo, useState } from 'react';
import type { RelationsFace, RelationsFrame } from '../../../contract/relations.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useRelations, type RelationsAnswer } from '../../../data/queries/catalog/use-relations.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { lazyPart } from '../../../ui/page/lazy-part.tsx';
import { messages } from './messages.ts';
import classes from './Relationships.module.css';
import { RelationsTable } from './RelationsTable.tsx';
import { RelationsToolbar, type RelationsLook } from './RelationsToolbar.tsx';
import { ServerRelations } from './ServerRelations.tsx';
import { HIDE_DELETED, questionOf } from './question.ts';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { relationsSearch } from '../search-schemas.ts';
import { relationsLink, relationsState, type RelationsState } from './url-state.ts';
import { useStoredChoice } from '../../../ui/hooks/use-stored-choice.ts';

const RelationsGraph = lazyPart(async () => (await import('./RelationsGraph.tsx')).RelationsGraph);

const NO_FACETS: RelationsFrame['facets'] = { types: [], labels: [], statuses: [], healths: [] };
/** No answer holds more rows (contract MAX_WINDOW_ROWS); the window moves in steps. */
const WINDOW_ROWS = 100;
const STEP = 20;

export interface RelationshipsTabProps {
  configId: string;
}

function useLook(): RelationsLook {
  const [view, setView] = useStoredChoice('relationshipGraphTableToggle', ['Table', 'Graph']);
  const [direction, setDirection] = useStoredChoice('graphDirection', ['LR', 'TB']);
  const [edgeStyle, setEdgeStyle] = useStoredChoice('graphEdgeStyle', ['bezier', 'smoothstep']);
  const [hidden, setHidden] = useStoredChoice(HIDE_DELETED.key, HIDE_DELETED.options);
  return {
    view,
    direction,
    edgeStyle,
    hidesDeleted: hidden === 'yes',
    setView,
    setDirection,
    setEdgeStyle,
    setHidesDeleted: (hides) => setHidden(hides ? 'yes' : 'no'),
  };
}

function hintOf(state: RelationsState): string {
  if (!state.isSoft) return messages.alone.hard;
  return state.isIncoming ? messages.alone.any : messages.alone.outgoing;
}

/** Why there is nothing to see; null when there is something. */
function emptyNote(frame: RelationsFrame, state: RelationsState, onClear: () => void) {
  if (!frame.isKnown) {
    return (
      <StateNote title={messages.unknownItem.title}>
        <p>{messages.unknownItem.hint}</p>
      </StateNote>
    );
  }
  if (frame.total === 0) {
    return (
      <StateNote title={messages.alone.title} icon={<IconBinaryTree2 size={32} stroke={1.3} />}>
        <p>{hintOf(state)}</p>
      </StateNote>
    );
  }
  if (frame.passing > 0) return null;
  return (
    <StateNote
      title={messages.nothingPasses.title}
      icon={<IconFilterOff size={32} stroke={1.3} />}
      actions={<Button onClick={onClear}>{messages.clearFilters}</Button>}
    >
      <p>{messages.nothingPasses.hint}</p>
    </StateNote>
  );
}

function hasClosedGroup(picture: RelationsAnswer['picture']): boolean {
  return picture?.nodes.some((node) => node.kind === 'group' && !node.isExpanded) === true;
}

/** How many are in sight of how many there are, and why not all. */
function Counts({ answer, isGraph }: { answer: RelationsAnswer; isGraph: boolean }) {
  const { frame, picture } = answer;
  if (frame === null || !frame.isKnown || frame.total === 0) return null;
  const shown = isGraph ? (picture?.shown ?? 0) : frame.passing;
  return (
    <p className={classes.counts} role="status">
      {messages.shown(Math.min(shown, frame.total), frame.total)}
      {isGraph && hasClosedGroup(picture) && <span> · {messages.closed}</span>}
      {isGraph && picture !== null && picture.cut > 0 && <span> · {messages.cut}</span>}
    </p>
  );
}

/** Says that relations may be missing here, and offers what the server knows. */
function CapNote({ isAsking, onAsk }: { isAsking: boolean; onAsk: (isAsking: boolean) => void }) {
  const isReachable = useReachable();
  return (
    <div className={classes.note}>
      {messages.capped}
      {isReachable || isAsking ? (
        <Button onClick={() => onAsk(!isAsking)}>
          {isAsking ? messages.cappedLocal : messages.cappedAsk}
        </Button>
      ) : (
        <span>{messages.cappedOffline}</span>
      )}
    </div>
  );
}

/** Where this device keeps a part of the relations only, the server's are offered. */
export function RelationshipsTab({ configId }: RelationshipsTabProps) {
  const [search, change] = useSearchState(relationsSearch);
  const { firstLoad } = useSyncStatus();
  const look = useLook();
  const state = useMemo(() => relationsState(search), [search]);
  const handleState = useCallback((next: RelationsState) => change(relationsLink(next)), [change]);
  const [opened, setOpened] = useState({ configId, start: 0, toggled: [] as string[] });
  const { start, toggled } = opened.configId === configId ? opened : { start: 0, toggled: [] };
  const [isAsking, setIsAsking] = useState(false);
  const isGraph = look.view === 'Graph';
  const { direction, hidesDeleted } = look;
  const { sortBy, isDescending } = state;
  const face: RelationsFace = isGraph
    ? { kind: 'graph', direction, toggled }
    : { kind: 'table', window: { start, end: start + WINDOW_ROWS }, sortBy, isDescending };
  const answer = useRelations(questionOf(configId, state, { face, hidesDeleted }));
  const { frame, picture } = answer;

  const handleRange = (first: number, last: number) => {
    const middle = Math.floor((first + last) / 2);
    const next = Math.max(0, Math.floor((middle - WINDOW_ROWS / 2) / STEP) * STEP);
    if (next !== start) setOpened({ configId, start: next, toggled });
  };
  const handleToggle = (ids: readonly string[]) => {
    const next = new Set(toggled);
    for (const id of ids) if (!next.delete(id)) next.add(id);
    setOpened({ configId, start, toggled: [...next] });
  };
  const clear = () =>
    handleState({ ...state, types: {}, labels: {}, statuses: {}, healths: {}, tag: null, depth: 10 });
  const empty = frame === null || !frame.isLoaded ? null : emptyNote(frame, state, clear);
  const local = (
    <>
      {frame?.isLoaded !== true && <SkeletonRows text={messages.loading} part={firstLoad} />}
      {empty}
      {frame?.isLoaded === true && empty === null && !isGraph && (
        <RelationsTable
          label={messages.title}
          total={frame.rowCount}
          rowAt={(index) => answer.rows[index - answer.start] ?? null}
          onRange={handleRange}
          order={{ sortBy, isDescending }}
          onOrder={(order) => handleState({ ...state, ...order })}
        />
      )}
      {frame?.isLoaded === true && empty === null && isGraph && (
        <Suspense fallback={<SkeletonRows text={messages.drawing} />}>
          {picture !== null && (
            <RelationsGraph
              picture={picture}
              rootId={configId}
              edgeStyle={look.edgeStyle}
              onToggle={handleToggle}
            />
          )}
        </Suspense>
      )}
    </>
  );
  return (
    <div className={classes.root} data-testid="relationships">
      <RelationsToolbar state={state} onState={handleState} look={look} facets={frame?.facets ?? NO_FACETS} />
      <Counts answer={answer} isGraph={isGraph} />
      {frame?.isCut === true && <CapNote isAsking={isAsking} onAsk={setIsAsking} />}
      <div className={classes.body}>
        {frame?.isCut === true && isAsking ? (
          <ServerRelations configId={configId} state={state} hidesDeleted={hidesDeleted} />
        ) : (
          local
        )}
      </div>
    </div>
  );
}
