import { useComponentsWithLogs } from '../../../data/queries/logs/use-components-with-logs.ts';
import { links } from '../../../domain/links.ts';
import { ViewLogsOf } from '../../../ui/actions/ViewLogs.tsx';
import { Age } from '../../../ui/marks/Age.tsx';
import { ConfigIcon } from '../../../ui/marks/ConfigIcon.tsx';
import classes from './evidence.module.css';
import { messages } from './messages.ts';
import {
  Description,
  Gone,
  HowItIs,
  joined,
  linkTo,
  Subject,
  Then,
  type TypeBodyProps,
} from './subject-parts.tsx';
import { useHealthSubject } from './use-health-subject.ts';

function Logs({ configId }: { configId: string }) {
  return <ViewLogsOf components={useComponentsWithLogs({ configId })} />;
}

/** A config item: what it is and how it is now. */
export function ConfigBody({ facts, isCompact }: TypeBodyProps) {
  const { row, before, now, name, hasChanged } = useHealthSubject('configs', {
    id: facts.configId,
    evidence: facts.evidence,
  });
  return (
    <>
      {!isCompact && <Description facts={facts} name={name} />}
      <Subject
        icon={<ConfigIcon type={now.type ?? ''} size={16} />}
        name={name}
        href={linkTo(facts, facts.configId, links.config)}
        thing={facts.configId === null ? null : { kind: 'config', id: facts.configId }}
      >
        {now.type ? <span className={classes.kind}>{now.type}</span> : null}
        <HowItIs health={now.health} status={now.status} />
      </Subject>
      {row?.deleted_at ? (
        <p className={classes.gone}>
          {messages.deleted} <Age at={row.deleted_at} suffix={messages.ago} />
        </p>
      ) : null}
      {row === null && <Gone text={messages.gone.config} hasMemory={before.name !== undefined} />}
      {hasChanged && <Then facts={facts}>{joined([before.health, before.status])}</Then>}
      {!isCompact && facts.configId !== null && (
        <div className={classes.logLinks}>
          <Logs configId={facts.configId} />
        </div>
      )}
    </>
  );
}
