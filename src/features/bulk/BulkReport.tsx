/** What came of something that was done to many: how many, Undo while it is still here, and each by its name. */
import { useEffect, useState } from 'react';
import { UNDO_MS, type Bulk, type BulkResult } from '../../data/commands/use-bulk.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { SafeText } from '../../ui/marks/SafeText.tsx';
import { messages } from './messages.ts';
import classes from './bulk.module.css';

const words = messages.report;
/** Of the results so many stand in the page; those that were refused come first. */
const MOST_LINES = 100;
const MAX_REASON_CHARS = 500;
const RANK = { refused: 0, waiting: 1, done: 2 } as const;

function countOf(results: readonly BulkResult[]) {
  const figures = { done: 0, waiting: 0, refused: 0 };
  for (const { state } of results) figures[state] += 1;
  return figures;
}

/** True until Undo would come too late. */
function useMayUndo(title: string): boolean {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLate(title), UNDO_MS);
    return () => clearTimeout(timer);
  }, [title]);
  return late !== title;
}

function Results({ results }: { results: readonly BulkResult[] }) {
  const lines = results.toSorted((a, b) => RANK[a.state] - RANK[b.state]);
  return (
    <ul className={classes.results}>
      {lines.slice(0, MOST_LINES).map(({ commandId, name, state, reason }) => (
        <li key={commandId}>
          <span className={classes.name}>{name}</span> <span data-state={state}>{words[state]}</span>
          {reason !== null && (
            <span className={classes.reason}>
              <SafeText text={reason} maxChars={MAX_REASON_CHARS} />
            </span>
          )}
        </li>
      ))}
      {lines.length > MOST_LINES && <li>{words.more(lines.length - MOST_LINES)}</li>}
    </ul>
  );
}

interface BulkReportProps {
  report: NonNullable<Bulk['report']>;
  onUndo: () => void;
  onClose: () => void;
}

/** See the head of this file. */
export function BulkReport({ report, onUndo, onClose }: BulkReportProps) {
  const { title, undone, results } = report;
  const mayUndo = useMayUndo(title);
  const figures = countOf(results);
  return (
    <div className={classes.report} role="group" aria-label={words.region}>
      <div className={classes.line}>
        <strong>{title}</strong>
        <span role="status">{results.length === 0 ? words.undone : words.figures(figures)}</span>
        {mayUndo && undone === 0 && figures.waiting > 0 && (
          <Button look="primary" onClick={onUndo}>
            {words.undo}
          </Button>
        )}
        <Button look="quiet" onClick={onClose}>
          {words.close}
        </Button>
      </div>
      {results.length > 0 && (
        <details open={figures.refused > 0}>
          <summary>{words.each}</summary>
          <Results results={results} />
        </details>
      )}
    </div>
  );
}
