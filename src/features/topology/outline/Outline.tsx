/**
 * The topology as a tree, for who goes through it by keyboard or hears it: one tab stop, arrow keys go along the lines,
 * right opens and goes in, left closes and goes out, Enter opens the component's page.
 */
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { memo, useCallback, useMemo, useState } from 'react';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import type { OutlineQuery, OutlineRow } from '../../../contract/topology-view.ts';
import { useOutlineView } from '../../../data/queries/topology/use-topology.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { useRowHeight } from '../../../ui/hooks/use-media.ts';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { useRowKeys } from '../../../ui/tables/row-keys.ts';
import { ThingIcon } from '../../../ui/marks/ThingIcon.tsx';
import { messages } from '../messages.ts';
import classes from './outline.module.css';

const FIRST_ROWS = 15;
const OVERSCAN_PX = 360;
const INDENT_PX = 20;

interface LineProps {
  row: OutlineRow;
  height: number;
  href: string;
  onToggle: (key: string) => void;
}

const Line = memo(function Line({ row, height, href, onToggle }: LineProps) {
  const { id, key, level, position, setSize, isOpen, state, name, type, status, childCount } = row;
  const Mark = isOpen === true ? IconChevronDown : IconChevronRight;
  const facts = [type, status, childCount > 0 ? messages.card.parts(childCount) : null].filter(Boolean);
  return (
    <div
      role="treeitem"
      tabIndex={-1}
      data-row-kind="component"
      data-health={state}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      {...(isOpen === null ? {} : { 'aria-expanded': isOpen })}
      className={classes.line}
      style={{ height, paddingLeft: (level - 1) * INDENT_PX }}
      onClick={(event) => {
        const isLink = event.target instanceof Element && event.target.closest('a') !== null;
        if (isOpen !== null && !isLink) onToggle(key);
      }}
    >
      <span className={classes.toggle}>{isOpen !== null && <Mark size={16} aria-hidden />}</span>
      <HealthMark state={state} />
      <span className={classes.icon}>
        <ThingIcon icon={row.icon} type={type} size={16} />
      </span>
      <AppLink href={href} tabIndex={-1} className={classes.name}>
        {name}
      </AppLink>
      <SilencedMark kind="component" id={id} />
      <span className="visually-hidden">{messages.health[state]}</span>
      <span className={classes.facts}>{facts.join(' · ')}</span>
    </div>
  );
});

interface OutlineProps {
  /** What is looked for, and whose tree is shown: that of all where there is no `rootId`. */
  asked: Omit<OutlineQuery, 'toggled'>;
  hrefOf: (id: string) => string;
}

/** What is open: for as long as the page is looked at. */
function useToggled() {
  const [toggled, setToggled] = useState<readonly string[]>([]);
  const toggle = useCallback(
    (key: string) =>
      setToggled((before) =>
        before.includes(key) ? before.filter((other) => other !== key) : [...before, key],
      ),
    [],
  );
  return { toggled, toggle };
}

/** See the head of this file. */
export function Outline({ asked, hrefOf }: OutlineProps) {
  const device = useDevice();
  const height = useRowHeight(device.density);
  const { firstLoad } = useSyncStatus();
  const { toggled, toggle } = useToggled();
  const query = useMemo(() => ({ ...asked, toggled: [...toggled] }), [asked, toggled]);
  const view = useOutlineView(query);
  const { frame, getRow, setVisibleRange } = view;
  const handleRowKey = (key: string, index: number) => {
    const row = getRow(index);
    if (row === null) return false;
    const opens = key === 'ArrowRight' && row.isOpen === false;
    const closes = key === 'ArrowLeft' && row.isOpen === true;
    if (opens || closes || (key === ' ' && row.isOpen !== null)) toggle(row.key);
    else if (key === 'Enter') device.navigate(hrefOf(row.id));
    else if (key === 'ArrowLeft' && row.level > 1) focusAbove(index, row.level);
    else if (key === 'ArrowRight' && row.isOpen === true) focusRow(index + 1);
    else return false;
    return true;
  };
  const { list, handleKey, focusRow } = useRowKeys<VirtuosoHandle>({
    count: frame.rowCount,
    isTabStop: true,
    onKey: handleRowKey,
  });
  /** To the line that this one is under. */
  function focusAbove(index: number, level: number): void {
    for (let at = index - 1; at >= 0; at -= 1) {
      const row = getRow(at);
      if (row === null || row.level >= level) continue;
      focusRow(at);
      return;
    }
  }
  if (!frame.isLoaded) return <SkeletonRows text={messages.loading} part={firstLoad} />;
  return (
    <div role="tree" aria-label={messages.outline.label} className={classes.tree} onKeyDown={handleKey}>
      <Virtuoso
        ref={list}
        role="group"
        tabIndex={0}
        className={classes.body}
        totalCount={frame.rowCount}
        fixedItemHeight={height}
        increaseViewportBy={OVERSCAN_PX}
        initialItemCount={Math.min(frame.rowCount, FIRST_ROWS)}
        rangeChanged={({ startIndex, endIndex }) => setVisibleRange(startIndex, endIndex + 1)}
        itemContent={(index) => {
          const row = getRow(index);
          return row === null ? (
            <div style={{ height }} />
          ) : (
            <Line row={row} height={height} href={hrefOf(row.id)} onToggle={toggle} />
          );
        }}
      />
    </div>
  );
}
