import { IconTopologyStar3 } from '@tabler/icons-react';
import { links } from '../../../domain/links.ts';
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

/** A component of the topology: how it is now. */
export function ComponentBody({ facts, isCompact }: TypeBodyProps) {
  const { row, before, now, name, hasChanged } = useHealthSubject('components', {
    id: facts.componentId,
    evidence: facts.evidence,
  });
  return (
    <>
      {!isCompact && <Description facts={facts} name={name} />}
      <Subject
        icon={<IconTopologyStar3 size={16} stroke={1.6} aria-hidden />}
        name={name}
        href={linkTo(facts, facts.componentId, links.component)}
      >
        {now.type ? <span className={classes.kind}>{now.type}</span> : null}
        <HowItIs health={now.health} status={now.status} />
      </Subject>
      {row === null && <Gone text={messages.gone.component} hasMemory={before.name !== undefined} />}
      {hasChanged && <Then facts={facts}>{joined([before.health, before.status])}</Then>}
    </>
  );
}
