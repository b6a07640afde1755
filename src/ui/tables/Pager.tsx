import { Button } from '../actions/Button.tsx';
import { messages } from './messages.ts';
import classes from './Pager.module.css';

interface PagerProps {
  /** Index of the first row shown. */
  start: number;
  /** Rows shown. */
  count: number;
  total: number;
  pageSize: number;
  onStart: (start: number) => void;
  /** The list begins with what is oldest. */
  isOldestFirst?: boolean;
}

/** Which part of a long list is shown; nothing where all of it is. */
export function Pager({ start, count, total, pageSize, onStart, isOldestFirst = false }: PagerProps) {
  if (total <= pageSize && start === 0) return null;
  const [before, after] = isOldestFirst ? [messages.older, messages.newer] : [messages.newer, messages.older];
  return (
    <div className={classes.root}>
      <Button disabled={start === 0} onClick={() => onStart(Math.max(0, start - pageSize))}>
        {before}
      </Button>
      <span role="status">{messages.page(Math.min(start + 1, total), start + count, total)}</span>
      <Button disabled={start + count >= total} onClick={() => onStart(start + pageSize)}>
        {after}
      </Button>
    </div>
  );
}
