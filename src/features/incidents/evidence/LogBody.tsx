import { IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { nearSelection, readLog, type StoredLogLine } from '../../../domain/incident/evidence-log.ts';
import { links } from '../../../domain/links.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { ViewLogs } from '../../../ui/actions/ViewLogs.tsx';
import classes from './evidence.module.css';
import { LogLines } from './LogLines.tsx';
import { messages } from './messages.ts';
import { Description, linkTo, Subject, type TypeBodyProps } from './subject-parts.tsx';
import { useConfigName } from './use-config-name.ts';

const COMPACT_LINES = 3;
/** Lines on the page before somebody asks for the rest, and with each asking. */
const FIRST_LINES = 40;
const MORE_LINES = 500;

/** Whose log it is, where the evidence says so: a component, as the logs' own screen has it, or an item. */
function Source({ facts }: Pick<TypeBodyProps, 'facts'>) {
  const { componentId, configId } = facts;
  const component = useLiveRow('components', componentId ?? '')?.row;
  const config = useConfigName(configId);
  const id = componentId ?? configId;
  if (id === null) return null;
  const found = componentId === null ? config : component;
  const href = linkTo(facts, id, componentId === null ? links.config : links.component);
  return (
    <Subject
      icon={<IconFileText size={16} stroke={1.6} aria-hidden />}
      name={found?.name ?? id}
      href={href}
    />
  );
}

/** Lines of a log: the chosen ones marked, three around each (spec 3 §2, §9), the rest on demand. */
export function LogBody({ facts, isCompact }: TypeBodyProps) {
  const [count, setCount] = useState(FIRST_LINES);
  const [isWhole, setIsWhole] = useState(false);
  const lines = readLog(facts.evidence);
  const near = nearSelection(lines);
  const all: readonly StoredLogLine[] = isWhole ? lines : near;
  if (isCompact) {
    const selected = lines.filter(({ isSelected }) => isSelected);
    const first = (selected.length === 0 ? lines : selected).slice(0, COMPACT_LINES);
    return (
      <>
        <Source facts={facts} />
        <LogLines lines={first} />
      </>
    );
  }
  return (
    <>
      <Description facts={facts} name="" />
      <Source facts={facts} />
      {lines.length === 0 ? (
        <p className={classes.gone}>{messages.log.none}</p>
      ) : (
        <LogLines lines={all.slice(0, count)} />
      )}
      <div className={classes.logFoot}>
        {facts.componentId !== null && <ViewLogs componentId={facts.componentId} />}
        {all.length > count && (
          <Button look="quiet" onClick={() => setCount(count + MORE_LINES)}>
            {messages.log.more(all.length - count)}
          </Button>
        )}
        {near.length < lines.length && (
          <Button look="quiet" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? messages.log.less : messages.log.whole(lines.length)}
          </Button>
        )}
      </div>
    </>
  );
}
