import type { ReactNode } from 'react';
import { useCallback } from 'react';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { AppLink } from '../actions/AppLink.tsx';
import { useDevice } from '../Device.tsx';
import classes from './ListPage.module.css';
import { useRowKeys } from '../tables/row-keys.ts';
import rowLink from '../tables/row-link.module.css';
import { SearchBox } from '../fields/SearchBox.tsx';
import { textSearch } from '../search/search-params.ts';
import { useSearchState } from '../search/use-search-state.ts';
import { useRowHeight } from '../hooks/use-media.ts';
import { useSearchText } from '../hooks/use-search-text.ts';

/** Rows kept ready beyond each edge, px: spec 1 §9 says ten. */
const OVERSCAN_PX = 360;

/** The search field of a list: its text at once, the link a moment later. */
export function useListSearch(words: { search: string; clearSearch: string }): {
  text: string;
  box: ReactNode;
} {
  const [search, change] = useSearchState(textSearch);
  const link = useCallback((typed: string) => change({ search: typed }), [change]);
  const { text: typed, seed, seedId, setText } = useSearchText(search.search ?? '', link);
  const box = (
    <SearchBox
      label={words.search}
      placeholder={words.search}
      clearLabel={words.clearSearch}
      seed={seed}
      seedId={seedId}
      onChange={setText}
      className={classes.search ?? ''}
    />
  );
  return { text: typed, box };
}

/** A list that fills the page, with its heading and what narrows it. */
export function ListPage(props: { title: string; total: string; box: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h1>{props.title}</h1>
        <span role="status" className={classes.total}>
          {props.total}
        </span>
        {props.box}
      </header>
      <div className={classes.body}>{props.children}</div>
    </div>
  );
}

interface VirtualLinesProps {
  label: string;
  total: number;
  onRange: (start: number, end: number) => void;
  /** Null while the row is on its way. */
  line: (index: number) => ReactNode;
}

/** Any number of lines, of which the page holds what is on screen. */
export function VirtualLines({ label, total, onRange, line }: VirtualLinesProps) {
  const { density } = useDevice();
  const height = useRowHeight(density);
  const { list, handleKey } = useRowKeys<VirtuosoHandle>({ count: total });
  return (
    <Virtuoso
      ref={list}
      aria-label={label}
      role="list"
      onKeyDown={handleKey}
      tabIndex={0}
      totalCount={total}
      fixedItemHeight={height}
      increaseViewportBy={OVERSCAN_PX}
      rangeChanged={({ startIndex, endIndex }) => onRange(startIndex, endIndex + 1)}
      itemContent={(index) => (
        <div
          role="listitem"
          aria-posinset={index + 1}
          aria-setsize={total}
          className={`${rowLink.row} ${classes.line}`}
          style={{ height }}
        >
          {line(index)}
        </div>
      )}
    />
  );
}

/** One thing of a list: its mark, its name as a link, a few facts. */
export function LineContent(props: {
  href: string;
  name: string;
  mark: ReactNode;
  facts: readonly (string | null)[];
}) {
  const facts = new Set(props.facts.filter((fact) => fact !== null && fact !== ''));
  return (
    <>
      {props.mark}
      <AppLink href={props.href} className={`${rowLink.link} ${classes.name}`} data-row-link="">
        {props.name}
      </AppLink>
      <span className={classes.facts}>
        {[...facts].map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
    </>
  );
}
