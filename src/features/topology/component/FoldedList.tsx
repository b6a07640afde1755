import { useState, type ReactNode } from 'react';
import { Button } from '../../../ui/actions/Button.tsx';
import classes from './component.module.css';
import { messages } from './messages.ts';

interface FoldedListProps<Item> {
  items: readonly Item[];
  /** More are shown when they are asked for. */
  limit: number;
  children: (shown: readonly Item[]) => ReactNode;
}

/** The first of many, and a button for the others. */
export function FoldedList<Item>({ items, limit, children }: FoldedListProps<Item>) {
  const [isOpen, setIsOpen] = useState(false);
  const rest = items.length - limit;
  return (
    <>
      {children(isOpen ? items : items.slice(0, limit))}
      {rest > 0 && (
        <Button
          look="quiet"
          className={classes.fold ?? ''}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? messages.less : messages.more(rest)}
        </Button>
      )}
    </>
  );
}
