import { IconChecks, IconCloudOff, IconFilter, IconHeartbeat } from '@tabler/icons-react';
import type { HealthFrame, SyncStatus } from '../../contract/worker.ts';
import { ALL_TAB } from '../../domain/check/grouping.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { Button, buttonClass } from '../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import type { HealthSearch, HealthUrlState } from './url-state.ts';

interface HealthStatesProps {
  frame: HealthFrame;
  status: SyncStatus;
  state: HealthUrlState;
  isSearching: boolean;
  onChange: (change: HealthSearch) => void;
  onClear: () => void;
}

const ICON = { size: 32, stroke: 1.3 };

function isDown({ connection }: SyncStatus): boolean {
  return connection === 'offline' || connection === 'server-unreachable';
}

/** True when there is nothing to list, so that one of the states below is shown. */
export function hasNoRows(frame: HealthFrame): boolean {
  return !frame.isLoaded || frame.rowCount === 0;
}

function Empty({ status }: { status: SyncStatus }) {
  if (isDown(status)) {
    return (
      <StateNote title={messages.empty} icon={<IconCloudOff {...ICON} />}>
        <p>{messages.emptyOffline}</p>
      </StateNote>
    );
  }
  return (
    <StateNote
      title={messages.empty}
      icon={<IconHeartbeat {...ICON} />}
      actions={
        <AppLink href="/help" className={buttonClass('outline')}>
          {messages.readHelp}
        </AppLink>
      }
    >
      <p>{messages.emptyHint}</p>
    </StateNote>
  );
}

/** Why there are no rows, and what to do about it. */
export function HealthStates(props: HealthStatesProps) {
  const { frame, status, state, isSearching, onChange, onClear } = props;
  const isFirstLoad = status.firstLoad !== null && frame.checkCount === 0;
  const isWaiting = status.asOfMs === null && !isDown(status) && frame.checkCount === 0;
  if (!frame.isLoaded || isFirstLoad || isWaiting) {
    const part = status.firstLoad;
    return (
      <SkeletonRows
        text={part === null ? messages.loading : messages.loadingPart(Math.round(part * 100))}
        part={part}
      />
    );
  }
  if (frame.checkCount === 0) return <Empty status={status} />;
  const isNarrowed = isSearching || state.tab !== ALL_TAB || Object.keys(state.labels).length > 0;
  if (!isNarrowed && frame.hiddenPassing === frame.checkCount) {
    return (
      <StateNote
        title={messages.allPassing}
        icon={<IconChecks {...ICON} />}
        actions={<Button onClick={() => onChange({ hidePassing: false })}>{messages.showPassing}</Button>}
      >
        <p>{messages.allPassingHint(frame.checkCount)}</p>
      </StateNote>
    );
  }
  return (
    <StateNote
      title={messages.filteredEmpty}
      icon={<IconFilter {...ICON} />}
      actions={
        <>
          <Button look="primary" onClick={onClear}>
            {messages.clearFilters}
          </Button>
          {frame.hiddenPassing > 0 && (
            <Button onClick={() => onChange({ hidePassing: false })}>{messages.showPassing}</Button>
          )}
        </>
      }
    >
      <p className={classes.hidden}>{messages.filteredEmptyHint(frame.checkCount)}</p>
    </StateNote>
  );
}
