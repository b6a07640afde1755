import { useComponentsWithLogs } from '../../../data/queries/logs/use-components-with-logs.ts';
import { useCheck } from '../../../data/queries/health/use-check.ts';
import { healthOfWord } from '../../../domain/check/health.ts';
import { changedSince, readSnapshot } from '../../../domain/incident/evidence-snapshot.ts';
import { links } from '../../../domain/links.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { ViewLogsOf } from '../../../ui/actions/ViewLogs.tsx';
import { Age } from '../../../ui/marks/Age.tsx';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { SafeText } from '../../../ui/marks/SafeText.tsx';
import { TypeIcon } from '../../../ui/marks/TypeIcon.tsx';
import classes from './evidence.module.css';
import { messages } from './messages.ts';
import { Description, Gone, linkTo, Subject, Then, type TypeBodyProps } from './subject-parts.tsx';

function Logs({ checkId }: { checkId: string }) {
  return <ViewLogsOf components={useComponentsWithLogs({ checkId })} />;
}

/** A health check: its mark, when it last ran, how long its runs take. */
export function CheckBody({ facts, isCompact }: TypeBodyProps) {
  const view = useCheck(facts.checkId ?? '');
  const then = readSnapshot(facts.evidence);
  const check = view?.check;
  const name = check?.name ?? then.name ?? facts.checkId ?? messages.unnamed;
  const state = view?.health.state ?? (then.health === undefined ? null : healthOfWord(then.health));
  const latencyMs = check ? check.latency.p95 : then.latency_ms;
  const lastRun = check ? check.last_runtime : then.last_runtime;
  const hasChanged = view ? changedSince(then, { health: view.health.state }, ['health']).length > 0 : false;
  return (
    <>
      {!isCompact && <Description facts={facts} name={name} />}
      <Subject
        icon={<TypeIcon type={check?.type ?? then.type ?? ''} size={16} />}
        name={name}
        href={linkTo(facts, facts.checkId, links.check)}
        thing={check === undefined ? null : { kind: 'check', id: check.id }}
      >
        {state !== null && <HealthLabel state={state} />}
        {view?.health.isStale && <span>{ui.wasHealth(view.health.lastKnown ?? '')}</span>}
        {lastRun ? (
          <span className={classes.dim}>
            {messages.lastRun} <Age at={lastRun} suffix={messages.ago} />
          </span>
        ) : null}
        {latencyMs !== null && latencyMs !== undefined && (
          <span className={classes.dim}>{messages.latency(formatDuration(latencyMs))}</span>
        )}
      </Subject>
      {view === null && <Gone text={messages.gone.check} hasMemory={then.name !== undefined} />}
      {hasChanged && then.health !== undefined && (
        <Then facts={facts}>
          <HealthLabel state={healthOfWord(then.health)} />
        </Then>
      )}
      {!isCompact && then.message !== undefined && (
        <p className={classes.quote}>
          <SafeText text={then.message} />
        </p>
      )}
      {!isCompact && facts.checkId !== null && (
        <div className={classes.logLinks}>
          <Logs checkId={facts.checkId} />
        </div>
      )}
    </>
  );
}
