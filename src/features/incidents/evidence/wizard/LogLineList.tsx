import type { KeyboardEvent } from 'react';
import { useId, useRef } from 'react';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import type { EvidenceLogLine } from '../../../../domain/incident/evidence-draft.ts';
import { visibleText } from '../../../../domain/plain-text.ts';
import { formatInstant } from '../../../../domain/time/format.ts';
import { useMedia } from '../../../../ui/hooks/use-media.ts';
import { messages } from './messages.ts';
import type { useLogSelection } from './use-log-selection.ts';
import classes from './wizard.module.css';

/** A line of the list shows no more; the whole of it is in the evidence. */
const SHOWN_CHARS = 400;
const LINE_PX = { fine: 28, coarse: 44 };
const PAGE = 12;

interface LogLineListProps {
  lines: readonly EvidenceLogLine[];
  /** Indexes of those that are shown. */
  shown: readonly number[];
  selection: ReturnType<typeof useLogSelection>;
}

/** Any number of lines to choose from: by pressing, with Shift as a range, or by the keys of a list box. */
export function LogLineList({ lines, shown, selection }: LogLineListProps) {
  const id = useId();
  const list = useRef<VirtuosoHandle>(null);
  const isCoarse = useMedia('(pointer: coarse)');
  const height = isCoarse ? LINE_PX.coarse : LINE_PX.fine;
  const { selected, active } = selection;
  const go = (to: number, isExtending: boolean) => {
    const at = selection.move(to, { isExtending });
    list.current?.scrollIntoView({ index: at });
  };
  const handleKey = (event: KeyboardEvent) => {
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + PAGE,
      PageUp: active - PAGE,
      Home: 0,
      End: shown.length - 1,
    };
    const to = targets[event.key];
    if (to !== undefined) go(to, event.shiftKey);
    else if (event.key === ' ' || event.key === 'Enter') selection.press(active, { isExtending: false });
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) selection.selectAll();
    else return;
    event.preventDefault();
  };
  return (
    <Virtuoso
      ref={list}
      role="listbox"
      aria-multiselectable="true"
      aria-label={messages.log.lines}
      aria-activedescendant={shown.length === 0 ? undefined : `${id}-${active}`}
      tabIndex={0}
      data-autofocus=""
      className={classes.lines ?? ''}
      onKeyDown={handleKey}
      totalCount={shown.length}
      fixedItemHeight={height}
      initialItemCount={Math.min(shown.length, 20)}
      increaseViewportBy={200}
      itemContent={(at) => {
        const index = shown[at] ?? 0;
        const line = lines[index];
        if (line === undefined) return null;
        const atMs = line.timestamp === null ? Number.NaN : Date.parse(line.timestamp);
        const isSelected = selected.has(index);
        return (
          <div
            id={`${id}-${at}`}
            role="option"
            aria-selected={isSelected}
            aria-posinset={at + 1}
            aria-setsize={shown.length}
            className={[
              classes.line,
              isSelected ? classes.lineSelected : '',
              at === active ? classes.lineActive : '',
            ].join(' ')}
            style={{ height }}
            onClick={(event) => selection.press(at, { isExtending: event.shiftKey })}
          >
            <span className={classes.lineMark} aria-hidden="true">
              {isSelected ? '✓' : ''}
            </span>
            <span className={classes.lineNumber} aria-hidden="true">
              {index + 1}
            </span>
            {!Number.isNaN(atMs) && <span className={classes.lineAt}>{formatInstant(atMs)}</span>}
            <bdi className={classes.lineText}>{visibleText(line.message.slice(0, SHOWN_CHARS))}</bdi>
          </div>
        );
      }}
    />
  );
}
