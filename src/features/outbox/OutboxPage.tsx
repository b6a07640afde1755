/** Everything that this device has not got confirmed: what needs the user first, then what waits, then what is underway. */
import { IconSend } from '@tabler/icons-react';
import { useMemo, useState, type ComponentProps } from 'react';
import { Virtuoso, type Components } from 'react-virtuoso';
import type { OutboxItem, OutboxPause } from '../../contract/outbox/outbox.ts';
import { dismissLost, refresh } from '../../data/commands/commands.ts';
import { useLostCommands } from '../../data/commands/use-lost-commands.ts';
import { useOutbox } from '../../data/commands/use-outbox.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { links } from '../../domain/links.ts';
import { heapOf, type OutboxHeap } from '../../domain/sync/outbox-counts.ts';
import { shownPause } from '../../domain/sync/outbox-pause.ts';
import { formatClock } from '../../domain/time/format.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { Button, buttonClass } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { messages } from './messages.ts';
import { OutboxEntry } from './OutboxEntry.tsx';
import classes from './outbox.module.css';

/** Beyond each edge of the screen, px: a few entries of the usual height. */
const OVERSCAN_PX = 600;

const LIST: Components<OutboxItem> = {
  List: (props: ComponentProps<'div'>) => <ul {...(props as ComponentProps<'ul'>)} />,
  Item: ({ children, item, style, ...data }) => (
    <li
      className={classes.entry}
      style={style}
      data-command={item.name}
      data-index={data['data-index']}
      data-item-index={data['data-item-index']}
      data-known-size={data['data-known-size']}
    >
      {children}
    </li>
  ),
};

const HEAPS: readonly OutboxHeap[] = ['prepared', 'refused', 'kept', 'sending'];

function Pause({ pause }: { pause: OutboxPause }) {
  if (pause === null) return null;
  return (
    <div className={classes.pause} role="status">
      <span>{messages.pauses[pause]}</span>
      {pause === 'signed-out' ? (
        <AppLink href={links.login(links.outbox())} className={buttonClass('outline')}>
          {messages.signIn}
        </AppLink>
      ) : (
        <Button onClick={refresh}>{messages.tryNow}</Button>
      )}
    </div>
  );
}

/** Work that went with a lost store: it can't be brought back, so it must not go unsaid. */
function Lost() {
  const lost = useLostCommands();
  const device = useDevice();
  if (lost === null) return null;
  return (
    <div className={classes.pause} role="alert">
      <span>{messages.lost(lost.count, formatClock(lost.sinceMs, device.now()))}</span>
      <Button onClick={dismissLost}>{messages.dismissLost}</Button>
    </div>
  );
}

interface HeapProps {
  heap: OutboxHeap;
  items: readonly OutboxItem[];
  scroller: HTMLElement | null;
}

function Heap({ heap, items, scroller }: HeapProps) {
  if (items.length === 0) return null;
  const id = `outbox-${heap}`;
  return (
    <section className={classes.heap} aria-labelledby={id} data-heap={heap}>
      <div className={classes.heapHead}>
        <h2 id={id}>{messages.sections[heap]}</h2>
        <span className={classes.count}>{items.length}</span>
      </div>
      <p className={classes.hint}>{messages.hints[heap]}</p>
      {scroller !== null && (
        <Virtuoso
          customScrollParent={scroller}
          increaseViewportBy={OVERSCAN_PX}
          data={items}
          computeItemKey={(_, item) => item.commandId}
          components={LIST}
          itemContent={(_, item) => <OutboxEntry item={item} />}
        />
      )}
    </section>
  );
}

/** Of the signed-in user on this device. */
export function OutboxPage() {
  const outbox = useOutbox();
  const { connection } = useSyncStatus();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const heaps = useMemo(() => {
    const sorted: Record<OutboxHeap, OutboxItem[]> = { prepared: [], refused: [], kept: [], sending: [] };
    for (const item of outbox?.items ?? []) sorted[heapOf(item)].push(item);
    return sorted;
  }, [outbox]);
  return (
    <Page title={messages.title} lead={messages.lead} onScroller={setScroller}>
      <Lost />
      {outbox === undefined && <SkeletonRows text={messages.loading} />}
      {outbox !== undefined && outbox.items.length === 0 && (
        <StateNote title={messages.empty} icon={<IconSend size={32} stroke={1.3} />}>
          <p>{messages.emptyHint}</p>
        </StateNote>
      )}
      {outbox !== undefined && outbox.items.length > 0 && (
        <>
          <Pause pause={shownPause(outbox.pause, connection)} />
          {HEAPS.map((heap) => (
            <Heap key={heap} heap={heap} items={heaps[heap]} scroller={scroller} />
          ))}
        </>
      )}
    </Page>
  );
}
