/**
 * Output as lines of which the page holds those on screen, whatever their number. What is typed into its search narrows
 * it to the lines that have it; while it grows it follows its end, until somebody scrolls up.
 */
import { useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { Virtuoso } from 'react-virtuoso';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { SafeText } from '../../../ui/marks/SafeText.tsx';
import { messages } from '../messages.ts';
import classes from './run.module.css';

const words = messages.detail;
const LINE_PX = 19;
const MOST_LINES_SHOWN = 24;
const LEAST_SEARCHED = 2;
/** Longer lines are cut on screen; the file has them whole. */
const MAX_LINE_CHARS = 4000;

interface OutputLinesProps {
  label: string;
  lines: readonly string[];
  isGrowing: boolean;
  /** Beside the search. */
  children?: ReactNode;
}

/** Indexes of the lines that have the text in any case; null for all. */
function useMatches(lines: readonly string[], text: string): readonly number[] | null {
  const isSearched = text !== '';
  const lower = useMemo(
    () => (isSearched ? lines.map((line) => line.toLowerCase()) : []),
    [lines, isSearched],
  );
  return useMemo(() => {
    if (text === '') return null;
    const wanted = text.toLowerCase();
    return lower.flatMap((line, at) => (line.includes(wanted) ? [at] : []));
  }, [lower, text]);
}

/** See the head of this file. */
export function OutputLines({ label, lines, isGrowing, children }: OutputLinesProps) {
  const [typed, setTyped] = useState('');
  const text = useDeferredValue(typed);
  const matches = useMatches(lines, text);
  const count = matches === null ? lines.length : matches.length;
  const height = Math.min(MOST_LINES_SHOWN, Math.max(1, lines.length)) * LINE_PX + 18;
  return (
    <div className={classes.lines}>
      <div className={classes.linesBar}>
        {lines.length >= LEAST_SEARCHED && (
          <SearchBox
            label={words.search}
            placeholder={words.search}
            clearLabel={messages.clearSearch}
            seed=""
            seedId={0}
            onChange={setTyped}
            className={classes.linesSearch ?? ''}
          />
        )}
        <span role="status" className={classes.count}>
          {matches === null ? words.lines(count) : words.matches(count)}
        </span>
        {children}
      </div>
      <div className={classes.linesBox} style={{ height }} role="log" aria-label={label} aria-live="off">
        <Virtuoso
          tabIndex={0}
          totalCount={count}
          defaultItemHeight={LINE_PX}
          increaseViewportBy={10 * LINE_PX}
          initialItemCount={Math.min(count, MOST_LINES_SHOWN)}
          followOutput={isGrowing && matches === null ? 'auto' : false}
          itemContent={(index) => {
            const at = matches === null ? index : (matches[index] ?? 0);
            return (
              <div className={classes.line}>
                <span className={classes.number} aria-hidden="true">
                  {at + 1}
                </span>
                <span className={classes.text}>
                  <SafeText text={lines[at] ?? ''} maxChars={MAX_LINE_CHARS} />
                </span>
              </div>
            );
          }}
        />
      </div>
    </div>
  );
}
