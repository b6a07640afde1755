/**
 * A run with its steps and what they wrote (spec 1 §2 'Run detail'): followed while it goes on, and kept for when there
 * is no network.
 */
import { useState } from 'react';
import type { RunDetail } from '../../../contract/http/playbooks/playbooks.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useRunOutput, type RunOutputTexts } from '../../../data/queries/use-run-output.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { links } from '../../../domain/links.ts';
import {
  isRunOver,
  needsApproval,
  shownSteps,
  stepToShow,
  withLiveSteps,
} from '../../../domain/playbook/run.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { messages } from '../messages.ts';
import { playbookTitle } from '../playbook-title.ts';
import { runSearch } from '../search-schemas.ts';
import classes from './run.module.css';
import { RunHead } from './RunHead.tsx';
import { StepList } from './StepList.tsx';
import { StepOutput } from './StepOutput.tsx';

const words = messages.detail;

function Missing({ error }: { error: { code: string } & Parameters<typeof messages.errorText>[0] }) {
  const isGone = error.code === 'not_found';
  const isAway = error.code === 'network' || error.code === 'timeout';
  return (
    <StateNote
      title={isGone ? words.gone : words.failed}
      level={1}
      role="alert"
      actions={<AppLink href={links.playbookRuns()}>{words.toRuns}</AppLink>}
    >
      <p>{isGone ? words.goneHint : isAway ? words.offline : messages.errorText(error)}</p>
    </StateNote>
  );
}

function Steps({ detail: { run, steps }, live }: { detail: RunDetail; live: RunOutputTexts }) {
  const [search, change] = useSearchState(runSearch);
  const shown = shownSteps(run, withLiveSteps(steps, live));
  const chosen = shown.find(({ id, isSelectable }) => isSelectable && id === search.step);
  const step = chosen ?? stepToShow(shown);
  const nothing = (
    <p className={classes.none}>{needsApproval(run.status) ? words.waitsForApproval : words.noSteps}</p>
  );
  if (shown.length === 0) return nothing;
  return (
    <div className={classes.parts}>
      <StepList steps={shown} selectedId={step?.id ?? null} onSelect={(id) => change({ step: id })} />
      {step === null ? (
        nothing
      ) : (
        <StepOutput
          key={step.id}
          step={step}
          run={{
            id: run.id,
            title: playbookTitle(run.playbooks),
            error: run.error ?? null,
            live: live.get(step.id)?.text ?? null,
          }}
        />
      )}
    </div>
  );
}

/** What the run writes: from before anything else is known of it, until the page is left. Nothing of one that was over. */
function useLive(runId: string, detail: RunDetail | null): RunOutputTexts {
  const isReachable = useReachable();
  const [wasGoing, setWasGoing] = useState(false);
  const isOver = detail !== null && isRunOver(detail.run.status);
  if (detail !== null && !isOver && !wasGoing) setWasGoing(true);
  return useRunOutput(runId, isReachable && (!isOver || wasGoing));
}

interface RunPageProps {
  runId: string;
  reader: { id: string; roles: readonly string[] };
}

/** See the head of this file. */
export function RunPage({ runId, reader }: RunPageProps) {
  const { kept, error } = useQuery('playbook-run', { runId });
  const live = useLive(runId, kept?.value ?? null);
  const isGone = error?.code === 'not_found';
  if (kept === null || isGone)
    return (
      <div className={classes.page}>
        {error === null ? <SkeletonRows text={words.loading} /> : <Missing error={error} />}
      </div>
    );
  return (
    <div className={classes.page}>
      <RunHead detail={kept.value} reader={reader} />
      <CacheNote {...kept} />
      <Steps detail={kept.value} live={live} />
    </div>
  );
}
