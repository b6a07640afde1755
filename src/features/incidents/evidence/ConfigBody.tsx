import { useLiveRow } from '../../../data/use-live-row.ts';
import { changedSince, readSnapshot } from '../../../domain/incident/evidence-snapshot.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/Age.tsx';
import { ConfigIcon } from '../../../ui/ConfigIcon.tsx';
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

interface ConfigFacts {
  id: string;
  name: string | null;
  type: string | null;
  health: string | null;
  status: string | null;
  deleted_at: string | null;
}

/** A config item: what it is and how it is now. */
export function ConfigBody({ facts, isCompact }: TypeBodyProps) {
  const found = useLiveRow<ConfigFacts>('configs', facts.configId ?? '');
  const then = readSnapshot(facts.evidence);
  const now = found?.row ?? then;
  const name = now.name ?? (found === undefined ? messages.loadingName : facts.configId) ?? messages.unnamed;
  const isGone = found === null;
  const hasChanged = found ? changedSince(then, found.row, ['health', 'status']) : [];
  return (
    <>
      {!isCompact && <Description facts={facts} name={name} />}
      <Subject
        icon={<ConfigIcon type={now.type ?? ''} size={16} />}
        name={name}
        href={linkTo(facts, facts.configId, links.config)}
      >
        {now.type ? <span className={classes.kind}>{now.type}</span> : null}
        <HowItIs health={now.health} status={now.status} />
      </Subject>
      {found?.row.deleted_at ? (
        <p className={classes.gone}>
          {messages.deleted} <Age at={found.row.deleted_at} suffix={messages.ago} />
        </p>
      ) : null}
      {isGone && <Gone text={messages.gone.config} hasMemory={then.name !== undefined} />}
      {hasChanged.length > 0 && <Then facts={facts}>{joined([then.health, then.status])}</Then>}
    </>
  );
}
