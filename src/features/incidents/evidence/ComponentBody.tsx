import { IconTopologyStar3 } from '@tabler/icons-react';
import { useLiveRow } from '../../../data/use-live-row.ts';
import { changedSince, readSnapshot } from '../../../domain/incident/evidence-snapshot.ts';
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

interface ComponentFacts {
  id: string;
  name: string | null;
  type: string | null;
  health: string | null;
  status: string | null;
}

/** A component of the topology: how it is now. */
export function ComponentBody({ facts, isCompact }: TypeBodyProps) {
  const found = useLiveRow<ComponentFacts>('components', facts.componentId ?? '');
  const then = readSnapshot(facts.evidence);
  const now = found?.row ?? then;
  const name =
    now.name ?? (found === undefined ? messages.loadingName : facts.componentId) ?? messages.unnamed;
  const hasChanged = found ? changedSince(then, found.row, ['health', 'status']) : [];
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
      {found === null && <Gone text={messages.gone.component} hasMemory={then.name !== undefined} />}
      {hasChanged.length > 0 && <Then facts={facts}>{joined([then.health, then.status])}</Then>}
    </>
  );
}
