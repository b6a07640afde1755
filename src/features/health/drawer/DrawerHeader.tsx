import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { CheckView } from '../../../contract/worker.ts';
import { lookOf } from '../../../domain/check/health.ts';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { checkWords } from '../../../ui/marks/check-words.ts';
import { Acknowledge } from '../../../ui/page/Acknowledge.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { TypeIcon } from '../../../ui/marks/TypeIcon.tsx';
import classes from './drawer.module.css';
import { messages } from './messages.ts';

/** This server itself: no badge says so. */
const LOCAL_AGENT = 'local';
const LABELS_SHOWN = 6;

function Labels({ labels }: { labels: Readonly<Record<string, string>> }) {
  const [isOpen, setIsOpen] = useState(false);
  const all = Object.entries(labels);
  if (all.length === 0) return null;
  const shown = isOpen ? all : all.slice(0, LABELS_SHOWN);
  const more = all.length - LABELS_SHOWN;
  return (
    <div className={classes.labels}>
      {shown.map(([key, value]) => (
        <Tag key={key} name={key} value={value} />
      ))}
      {more > 0 && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={isOpen}
          onClick={() => setIsOpen((before) => !before)}
        >
          {isOpen ? messages.fewerLabels : messages.moreLabels(more)}
        </button>
      )}
    </div>
  );
}

/** Which check it is, and how it is. */
export function DrawerHeader({ view, onClose }: { view: CheckView; onClose: () => void }) {
  const { check, health } = view;
  const namespace = check.namespace || check.canary_namespace;
  return (
    <>
      <header className={classes.header}>
        <span className={classes.mark}>
          <TypeIcon type={check.type} size={20} />
        </span>
        <div className={classes.heading}>
          <div className={classes.title}>
            <h2>{check.name}</h2>
            <span className={classes.state} data-health={health.state}>
              <HealthLabel
                state={health.state}
                look={lookOf(check, health)}
                text={checkWords(check, health)}
              />
            </span>
            <SilencedMark kind="check" id={check.id} />
          </div>
          <div className={classes.sub}>
            <span>{check.type}</span>
            {namespace !== '' && <span>{namespace}</span>}
            {check.endpoint !== null && <span className={classes.endpoint}>{check.endpoint}</span>}
            {check.agent_name !== null && check.agent_name !== LOCAL_AGENT && (
              <Tag value={messages.agent(check.agent_name)} />
            )}
          </div>
          {typeof check.not_run_reason === 'string' && (
            <p className={classes.notRun}>{messages.notRun(check.not_run_reason)}</p>
          )}
          <div className={classes.acknowledge}>
            <Acknowledge
              kind="check"
              id={check.id}
              isBad={check.status === 'unhealthy' || check.status === null}
            />
          </div>
          {check.description !== null && <p className={classes.sub}>{check.description}</p>}
        </div>
        <IconButton label={messages.close} onClick={onClose}>
          <IconX size={18} />
        </IconButton>
      </header>
      <Labels labels={check.labels} />
    </>
  );
}
