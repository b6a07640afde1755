import { IconTopologyStar3 } from '@tabler/icons-react';
import { useComponent } from '../../../data/queries/topology/use-component.ts';
import { changedSince } from '../../../domain/incident/evidence-snapshot.ts';
import { links } from '../../../domain/links.ts';
import { ViewLogs } from '../../../ui/actions/ViewLogs.tsx';
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
  const subject = useHealthSubject('components', { id: facts.componentId, evidence: facts.evidence });
  const { row, before, name } = subject;
  // How it is with everything under it, as its own page says.
  const { component } = useComponent(facts.componentId ?? '');
  const memory = row === null ? before : null;
  // Its row alone says how it is without its parts: until those are known, nothing is said.
  const now = component === null ? memory : { ...component, health: component.state };
  const hasChanged =
    component !== null &&
    changedSince(before, { health: component.state, status: component.status }, ['health', 'status']).length >
      0;
  return (
    <>
      {!isCompact && <Description facts={facts} name={name} />}
      <Subject
        icon={<IconTopologyStar3 size={16} stroke={1.6} aria-hidden />}
        name={name}
        href={linkTo(facts, facts.componentId, links.component)}
        thing={facts.componentId === null ? null : { kind: 'component', id: facts.componentId }}
      >
        {subject.now.type ? <span className={classes.kind}>{subject.now.type}</span> : null}
        {now !== null && <HowItIs health={now.health} status={now.status} />}
      </Subject>
      {!isCompact && component !== null && component.logs.length > 0 && (
        <ViewLogs componentId={component.id} />
      )}
      {row === null && <Gone text={messages.gone.component} hasMemory={before.name !== undefined} />}
      {hasChanged && <Then facts={facts}>{joined([before.health, before.status])}</Then>}
    </>
  );
}
