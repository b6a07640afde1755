import { formatCount } from '../../../domain/format-count.ts';
import type { KeyboardEvent } from 'react';
import { memo, useRef } from 'react';
import type { HealthTab } from '../../../contract/worker.ts';
import { ALL_TAB } from '../../../domain/check/grouping.ts';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { messages } from '../messages.ts';
import classes from '../page.module.css';

interface HealthTabsProps {
  tabs: readonly HealthTab[];
  selected: string;
  panelId: string;
  onSelect: (tab: string) => void;
}

/** What needs a look in that tab: what fails first, then what isn't known; nothing where all is well. */
function TabMark({ tab }: { tab: HealthTab }) {
  const state = tab.unhealthy > 0 ? 'unhealthy' : tab.unknown > 0 ? 'unknown' : null;
  if (state === null) return null;
  const text = state === 'unhealthy' ? messages.unhealthy(tab.unhealthy) : messages.unknown(tab.unknown);
  return (
    <span title={text}>
      <HealthMark state={state} size={9} />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

/** All, then one tab for each namespace, agent or label value. */
export const HealthTabs = memo(function HealthTabs(props: HealthTabsProps) {
  const { tabs, selected, panelId, onSelect } = props;
  const list = useRef<HTMLDivElement>(null);
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.key === selected) + step;
    const next = tabs[(at + tabs.length) % tabs.length];
    if (next === undefined) return;
    onSelect(next.key);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[(at + tabs.length) % tabs.length]?.focus();
  };
  return (
    // Its room is kept while nothing is known yet: what stands below must not move when the tabs come.
    <div
      ref={list}
      role={tabs.length === 0 ? undefined : 'tablist'}
      aria-label={tabs.length === 0 ? undefined : messages.tabBy}
      className={classes.tabs}
      onKeyDown={handleKey}
    >
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          aria-selected={tab.key === selected}
          aria-controls={panelId}
          tabIndex={tab.key === selected ? 0 : -1}
          className={classes.tab}
          onClick={() => onSelect(tab.key)}
        >
          {tab.key !== ALL_TAB && <TabMark tab={tab} />}
          {tab.key === ALL_TAB ? messages.all : tab.key}
          <span className={classes.tabCount}>{formatCount(tab.total)}</span>
        </button>
      ))}
    </div>
  );
});
