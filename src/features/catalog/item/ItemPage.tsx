/** A config item's page (spec 2 §2 'Config item view'): its path, tabs, and all that is known of it at the side. */
import { IconLayoutSidebarRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useConfigDetail } from '../../../data/queries/catalog/use-catalog.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { draftOfConfig } from '../../../domain/incident/evidence-snapshot.ts';
import { links } from '../../../domain/links.ts';
import { formatInstant } from '../../../domain/time/format.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Acknowledge } from '../../../ui/page/Acknowledge.tsx';
import { AttachButton } from '../../../ui/page/AttachEvidence.tsx';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { PlaybooksButton } from '../../../ui/page/Playbooks.tsx';
import { SilenceButton, SilencedMark } from '../../../ui/page/Silences.tsx';
import { useSidebar } from '../../../ui/page/use-sidebar.ts';
import { ItemProvider, type Item } from './item-context.tsx';
import { isStale, itemFacts } from './item-facts.ts';
import classes from './item.module.css';
import { ItemSidebar } from './ItemSidebar.tsx';
import { ItemTabs, type ItemTab } from './ItemTabs.tsx';
import { messages } from './messages.ts';

const SIDEBAR_KEY = 'catalogItemDetailsHidden';

function Trouble({ code, message }: { code: string; message: string }) {
  const kinds: Readonly<Record<string, { title: string; hint: string }>> = {
    not_found: messages.notFound,
    invalid: messages.notFound,
    forbidden: messages.forbidden,
    network: messages.offline,
    timeout: messages.offline,
  };
  const { title, hint } = kinds[code] ?? { title: messages.failed, hint: message };
  return (
    <StateNote
      title={title}
      level={1}
      role="alert"
      actions={<AppLink href={links.catalog()}>{messages.toCatalog}</AppLink>}
    >
      <p>{hint}</p>
    </StateNote>
  );
}

function Marks({ facts, detail }: Item) {
  const device = useDevice();
  const asOfMs = detail.kept?.asOfMs ?? device.now();
  if (facts.deleted_at !== null)
    return (
      <span
        className={classes.deleted}
        title={messages.deletedAt(formatInstant(Date.parse(facts.deleted_at)))}
        tabIndex={0}
      >
        {messages.deleted}
      </span>
    );
  if (!isStale(facts, asOfMs)) return null;
  return (
    <span className={classes.stale} title={messages.staleHint} tabIndex={0}>
      {messages.stale}
    </span>
  );
}

function Head({ item, actions }: { item: Item; actions: ReactNode }) {
  const { facts } = item;
  return (
    <div className={classes.head}>
      <nav aria-label={messages.path} className={classes.pathLine}>
        <ol className={classes.path}>
          <li className={classes.wide}>
            <AppLink href={links.catalog()}>{messages.catalog}</AppLink>
          </li>
          {facts.type !== null && (
            <li className={classes.typeStep}>
              <AppLink href={links.catalogType(facts.type)}>{facts.type}</AppLink>
            </li>
          )}
          <li className={classes.nameStep}>
            <h1>{facts.name ?? facts.id}</h1>
            <Marks {...item} />
            <SilencedMark kind="config" id={facts.id} />
          </li>
        </ol>
      </nav>
      {actions}
    </div>
  );
}

/** The item as it is known so far; undefined while it is looked for. */
function useItemOf(configId: string): Item | { error: { code: string; message: string } } | undefined {
  const { firstLoad } = useSyncStatus();
  const row = useLiveRow('configs', configId);
  // The row says which body is the newest, so it is waited for, unless it is only just being fetched.
  const isRowKnown = row !== undefined || firstLoad !== null;
  const detail = useConfigDetail(isRowKnown ? configId : null, row?.row.updated_at ?? '');
  const facts = itemFacts(row?.row ?? null, detail.kept?.value ?? null);
  if (facts !== null) return { facts, detail };
  if (row === undefined || detail.error === null) return undefined;
  return { error: { code: detail.error.code, message: messages.errorText(detail.error) } };
}

/** There is something to know. */
const BAD: ReadonlySet<string> = new Set(['unhealthy', 'warning']);

function Loaded({ item, tab, children }: { item: Item; tab: ItemTab; children: ReactNode }) {
  const { isWide, isShown, toggle } = useSidebar(SIDEBAR_KEY);
  return (
    <ItemProvider item={item}>
      <div className={classes.page}>
        <div className={classes.main}>
          <Head
            item={item}
            actions={
              <span className={classes.headActions}>
                <Acknowledge
                  kind="config"
                  id={item.facts.id}
                  isBad={BAD.has(item.facts.health ?? '')}
                  look={isWide ? 'button' : 'icon'}
                />
                <PlaybooksButton
                  look={isWide ? 'button' : 'icon'}
                  resource={{ kind: 'config', id: item.facts.id, name: item.facts.name ?? item.facts.id }}
                />
                <AttachButton look={isWide ? 'button' : 'icon'} draft={() => draftOfConfig(item.facts)} />
                <SilenceButton look={isWide ? 'button' : 'icon'} kind="config" id={item.facts.id} />
                <IconButton
                  label={isShown ? messages.details.hide : messages.details.show}
                  isPressed={isShown}
                  onClick={toggle}
                >
                  <IconLayoutSidebarRight size={18} />
                </IconButton>
              </span>
            }
          />
          <ItemTabs configId={item.facts.id} detail={item.detail} selected={tab} />
          <div className={classes.panel}>{children}</div>
        </div>
        {isWide && isShown && (
          <aside className={classes.side} aria-label={messages.details.title} tabIndex={0}>
            <ItemSidebar />
          </aside>
        )}
        {!isWide && isShown && (
          <Sheet label={messages.details.title} side="right" hasTitle onClose={toggle}>
            <ItemSidebar />
          </Sheet>
        )}
      </div>
    </ItemProvider>
  );
}

interface ItemPageProps {
  configId: string;
  tab: ItemTab;
  /** What the tab shows. */
  children: ReactNode;
}

/** Its children are the tab's content; they find the item by `useItem`. */
export function ItemPage({ configId, tab, children }: ItemPageProps) {
  const item = useItemOf(configId);
  if (item === undefined) return <SkeletonRows text={messages.loading} />;
  if ('error' in item) return <Trouble {...item.error} />;
  return (
    <Loaded item={item} tab={tab}>
      {children}
    </Loaded>
  );
}
