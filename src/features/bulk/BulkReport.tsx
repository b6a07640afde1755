/** What came of something that was done to many: how many, Undo or Stop while there is something to take back, and each by its name. */
import { useEffect, useState } from 'react';
import { UNDO_MS } from '../../data/commands/use-bulk.ts';
import {
  countStates,
  firstResults,
  type BulkReport as Report,
  type BulkResult,
} from '../../domain/bulk/bulk-report.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { SafeText } from '../../ui/marks/SafeText.tsx';
import { messages } from './messages.ts';
import classes from './bulk.module.css';

const words = messages.report;
/** Of the results so many stand in the page; those that were refused come first. */
const MOST_LINES = 100;
const MAX_REASON_CHARS = 500;

/** True until Undo would come too late for all of them. */
export function useIsHeld(report: Report | null): boolean {
  const first = report?.results[0]?.key ?? '';
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLate(first), UNDO_MS);
    return () => clearTimeout(timer);
  }, [first]);
  return late !== first;
}

function Results({ results }: { results: readonly BulkResult[] }) {
  return (
    <ul className={classes.results}>
      {firstResults(results, MOST_LINES).map(({ key, name, state, reason }) => (
        <li key={key}>
          <span className={classes.name}>{name}</span> <span data-state={state}>{words.states[state]}</span>
          {reason !== null && (
            <span className={classes.reason}>
              <SafeText text={reason} maxChars={MAX_REASON_CHARS} />
            </span>
          )}
        </li>
      ))}
      {results.length > MOST_LINES && <li>{words.more(results.length - MOST_LINES)}</li>}
    </ul>
  );
}

interface BulkReportProps {
  report: Report;
  /** Null where nothing can be made as it was. */
  onUndo: (() => void) | null;
  /** Null where nothing is left to be stopped. */
  onStop: (() => void) | null;
  onClose: () => void;
}

/** See the head of this file. */
export function BulkReport({ report, onUndo, onStop, onClose }: BulkReportProps) {
  const { title, results } = report;
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  const figures = countStates(results);
  const isUndone = figures['taken-back'] === results.length;
  return (
    <div className={classes.report} role="group" aria-label={words.region}>
      <div className={classes.line}>
        <strong>{title}</strong>
        <span role="status">{isUndone ? words.undone : words.figures(figures)}</span>
        {figures.waiting > 0 && results.length > 1 && (
          <progress
            className={classes.progress}
            aria-label={words.progress}
            value={results.length - figures.waiting}
            max={results.length}
          />
        )}
        {onUndo !== null && (
          <Button look="primary" onClick={onUndo}>
            {words.undo}
          </Button>
        )}
        {onUndo === null && onStop !== null && <Button onClick={onStop}>{words.stop}</Button>}
        <Button look="quiet" onClick={onClose}>
          {words.close}
        </Button>
      </div>
      {!isUndone && (
        <details
          open={isOpen ?? figures.refused > 0}
          onToggle={(event) => {
            if (event.currentTarget.open !== (isOpen ?? figures.refused > 0))
              setIsOpen(event.currentTarget.open);
          }}
        >
          <summary>{words.each}</summary>
          {(isOpen ?? figures.refused > 0) && <Results results={results} />}
        </details>
      )}
    </div>
  );
}
