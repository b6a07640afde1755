import { Tabs } from '@mantine/core';
import { useCurrentInSight } from '../hooks/use-current-in-sight.ts';
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
  const list = useCurrentInSight<HTMLDivElement>(selected, tabs.map(({ text }) => text).join());
  const handleChange = (chosen: string | null) => {
    const tab = tabs.find(({ key }) => key === chosen);
    if (tab !== undefined) onSelect(tab.key);
  };
  return (
    <Tabs unstyled className={classes.root} value={selected} onChange={handleChange}>
      <Tabs.List ref={list} aria-label={label} className={classes.list}>
        {tabs.map(({ key, text }) => (
          <Tabs.Tab key={key} value={key} aria-controls={panelId} className={classes.tab}>
            {text}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
