import type { ConfigDetail } from '../../../contract/http/config-item.ts';
import type { Loadable } from '../../../data/data-client.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/AppLink.tsx';
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

/** The item's parts, each a page with an address of its own. */
export function ItemTabs({ configId, detail, selected }: ItemTabsProps) {
  const counts = useCounts(configId, detail);
  return (
    <nav aria-label={messages.tabsLabel} className={classes.tabs}>
      {TABS.map((tab) => {
        const count = tab === 'config' ? null : counts[tab];
        return (
          <AppLink
            key={tab}
            href={links.configTab(configId, tab)}
            className={classes.tab}
            {...(tab === selected ? { 'aria-current': 'page' as const } : {})}
          >
            {messages.tabs[tab]}
            {count !== null && <span className={classes.badge}>{messages.more(count)}</span>}
          </AppLink>
        );
      })}
    </nav>
  );
}
