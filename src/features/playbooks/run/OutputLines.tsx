/**
 * Output as lines of which the page holds those on screen, whatever their number. What is typed into its search narrows
 * it to the lines that have it; while it grows it follows its end, until somebody scrolls up.
 */
import { useMemo, useState, type ReactNode } from 'react';
import { Virtuoso } from 'react-virtuoso';
import { createLineSearch } from '../../../domain/playbook/output.ts';
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

interface LineSearch {
  text: string;
  /** Somebody is about to search: what the first key would need is made before it. */
  isNear: boolean;
}

/** Indexes of the lines that have the text in any case; null for all. */
function useMatches(lines: readonly string[], { text, isNear }: LineSearch): readonly number[] | null {
  const search = useMemo(() => createLineSearch(isNear ? lines : []), [lines, isNear]);
  return useMemo(() => (text === '' ? null : search(text)), [search, text]);
}

/** See the head of this file. */
export function OutputLines({ label, lines, isGrowing, children }: OutputLinesProps) {
  // Not deferred: all lines are looked through in less than a frame, and a deferred draw would come a frame later.
  const [text, setText] = useState('');
  const [isNear, setIsNear] = useState(false);
  const matches = useMatches(lines, { text, isNear: isNear || text !== '' });
  const count = matches === null ? lines.length : matches.length;
  const height = Math.min(MOST_LINES_SHOWN, Math.max(1, lines.length)) * LINE_PX + 18;
  return (
    <div className={classes.lines}>
      <div className={classes.linesBar} onFocus={() => setIsNear(true)}>
        {lines.length >= LEAST_SEARCHED && (
          <SearchBox
            label={words.search}
            placeholder={words.search}
            clearLabel={messages.clearSearch}
            seed=""
            seedId={0}
            onChange={setText}
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
          increaseViewportBy={3 * LINE_PX}
          initialItemCount={Math.min(count, MOST_LINES_SHOWN)}
          followOutput={isGrowing && matches === null ? 'auto' : false}
          itemContent={(index) => {
            const at = matches === null ? index : (matches[index] ?? 0);
            return (
              <div className={classes.line} data-row-kind="line">
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
