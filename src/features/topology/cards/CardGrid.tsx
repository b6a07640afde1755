/**
 * Cards as many beside each other as fit, by lines, of which the page holds those on screen and the next 300 px
 * (spec 2 §9). Arrow keys go from card to card.
 */
import { memo, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import type { TopologyCard } from '../../../contract/topology-view.ts';
import type { TopologyViewState } from '../../../data/queries/topology/use-topology.ts';
import { CardActions } from '../actions/CardMenu.tsx';
import { ComponentDialogs, type OpenedDialog } from '../actions/ComponentDialogs.tsx';
import type { CardSize } from '../card-size.ts';
import { useElementKeys } from '../../../ui/hooks/element-keys.ts';
import { useAfterPaint } from '../../../ui/hooks/use-after-paint.ts';
import { messages } from '../messages.ts';
import { ComponentCard } from './ComponentCard.tsx';
import classes from './grid.module.css';
import { useCardsPerLine } from './use-cards-per-line.ts';
import { useLinesAhead } from './use-lines-ahead.ts';
import { lookupTable } from '../../../lib/lookup-table.ts';

const LOAD_AHEAD_PX = 300;
/** Before anything is measured: as many as fill a screen. */
const FIRST_LINES = 4;

const STEPS = lookupTable<(perLine: number) => number>({
  ArrowRight: () => 1,
  ArrowLeft: () => -1,
  ArrowDown: (perLine) => perLine,
  ArrowUp: (perLine) => -perLine,
});

function moveFocus(event: KeyboardEvent<HTMLElement>, perLine: number): void {
  const step = STEPS[event.key];
  const { target, currentTarget } = event;
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (!(target instanceof HTMLElement) || !target.matches('[data-row-link]')) return;
  const cards = [...currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')];
  const next = cards[cards.indexOf(target) + step(perLine)];
  event.preventDefault();
  next?.focus();
}

/** What a line holds, and of which answer that is a part. */
interface Answered {
  cards: readonly (TopologyCard | null)[];
  question: string;
}

interface LineProps extends Answered {
  perLine: number;
  size: CardSize;
  hrefOf: (id: string) => string;
  /** Not on screen in the frame of an answer: it shows what it showed until that is painted, so that a key waits for less. */
  isAhead: boolean;
}

const isSame = (one: Answered, other: Answered): boolean =>
  one.question === other.question &&
  one.cards.length === other.cards.length &&
  one.cards.every((card, at) => card === other.cards[at]);

const Line = memo(
  function Line({ perLine, size, hrefOf, isAhead, ...now }: LineProps) {
    const painted = useAfterPaint<Answered>(now, isSame);
    const { cards, question } = isAhead ? painted : now;
    const keys = useElementKeys(
      question,
      cards.map((card, at) => card?.id ?? String(at)),
    );
    return (
      <div className={classes.line} style={{ gridTemplateColumns: `repeat(${perLine}, minmax(0, 1fr))` }}>
        {cards.map((card, at) =>
          card === null ? (
            <div key={keys[at]} className={classes.placeholder} />
          ) : (
            <ComponentCard key={keys[at]} card={card} size={size} hrefOf={hrefOf} />
          ),
        )}
      </div>
    );
  },
  (before, next) =>
    before.perLine === next.perLine &&
    before.size === next.size &&
    before.hrefOf === next.hrefOf &&
    isSame(before, next),
);

/** One for all grids: another component would be another element. */
const PARTS = { Header: ({ context }: { context: ReactNode }) => context };

interface CardGridProps {
  view: TopologyViewState;
  width: number;
  /** What the cards are an answer to; another one starts at its top. */
  question: string;
  hrefOf: (id: string) => string;
  /** What scrolls away above them. */
  above?: ReactNode;
  /** Cards are only looked at here. */
  isReadOnly?: boolean;
}

/** See the head of this file. */
export function CardGrid({ view, width, question, hrefOf, above = null, isReadOnly = false }: CardGridProps) {
  const { perLine, size, measure } = useCardsPerLine(width);
  const list = useRef<VirtuosoHandle>(null);
  const [opened, setOpened] = useState<OpenedDialog | null>(null);
  const { isAhead, setScroller } = useLinesAhead(question);
  const { rowCount } = view.frame;
  const lines = Math.ceil(rowCount / perLine);
  useEffect(() => {
    list.current?.scrollTo({ top: 0 });
  }, [question]);
  const cardsOf = (line: number) => {
    const first = line * perLine;
    return Array.from({ length: Math.min(perLine, rowCount - first) }, (_, at) => view.getRow(first + at));
  };
  return (
    <CardActions value={isReadOnly ? null : setOpened}>
      <div
        ref={measure}
        className={classes.root}
        role="group"
        aria-label={messages.grid}
        onKeyDown={(event) => moveFocus(event, perLine)}
      >
        <Virtuoso
          ref={list}
          scrollerRef={setScroller}
          tabIndex={-1}
          context={above}
          components={PARTS}
          totalCount={lines}
          increaseViewportBy={LOAD_AHEAD_PX}
          initialItemCount={Math.min(lines, FIRST_LINES)}
          rangeChanged={({ startIndex, endIndex }) =>
            view.setVisibleRange(startIndex * perLine, (endIndex + 1) * perLine)
          }
          itemContent={(line) => (
            <Line {...{ perLine, size, hrefOf, question }} cards={cardsOf(line)} isAhead={isAhead(line)} />
          )}
        />
      </div>
      <ComponentDialogs opened={opened} onClose={() => setOpened(null)} />
    </CardActions>
  );
}
