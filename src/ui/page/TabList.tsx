import type { KeyboardEvent } from 'react';
import classes from './TabList.module.css';

interface TabListProps<Key extends string> {
  label: string;
  tabs: readonly { key: Key; text: string }[];
  selected: Key;
  panelId: string;
  onSelect: (key: Key) => void;
}

/** Tabs over one panel. */
export function TabList<Key extends string>(props: TabListProps<Key>) {
  const { label, tabs, selected, panelId, onSelect } = props;
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (tabs.findIndex((tab) => tab.key === selected) + step + tabs.length) % tabs.length;
    const next = tabs[at];
    if (next === undefined) return;
    onSelect(next.key);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus();
  };
  return (
    <div role="tablist" aria-label={label} className={classes.list} onKeyDown={handleKey}>
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
          {tab.text}
        </button>
      ))}
    </div>
  );
}
