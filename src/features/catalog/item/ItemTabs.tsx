import type { ConfigDetail } from '../../../contract/http/catalog/config-item.ts';
import type { Loadable } from '../../../data/client/loadable.ts';
import { links } from '../../../domain/links.ts';
import { LinkedTabs } from '../../../ui/page/LinkedTabs.tsx';
import classes from './item.module.css';
import { messages } from './messages.ts';
import { useCounts } from './use-counts.ts';

const TABS = ['config', 'changes', 'insights', 'relationships', 'playbooks', 'checks'] as const;
export type ItemTab = (typeof TABS)[number];

interface ItemTabsProps {
  configId: string;
  detail: Loadable<ConfigDetail>;
  selected: ItemTab;
}

/** Of the playbooks it is the runs that are counted, and the list is headed by those that may run. */
function badgeOf(key: ItemTab, count: number): string {
  return key === 'playbooks' ? messages.runs(messages.more(count)) : messages.more(count);
}

/** The item's parts, each a page with an address of its own. */
export function ItemTabs({ configId, detail, selected }: ItemTabsProps) {
  const counts = useCounts(configId, detail);
  const tabs = TABS.map((key) => {
    const count = key === 'config' ? null : counts[key];
    return {
      key,
      text: messages.tabs[key],
      href: links.configTab(configId, key),
      badge: count === null ? null : badgeOf(key, count),
    };
  });
  return <LinkedTabs label={messages.tabsLabel} tabs={tabs} selected={selected} className={classes.tabs} />;
}
