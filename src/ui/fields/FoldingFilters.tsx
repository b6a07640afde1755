/** Filters of a list: beside each other where there is room, from below behind one button on a hand-held screen. */
import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '../actions/Button.tsx';
import classes from './FoldingFilters.module.css';
import { messages } from '../messages.ts';
import { Sheet } from '../overlays/Sheet.tsx';
import { PHONE, useMedia } from '../hooks/use-media.ts';

const words = messages.filters;

interface FoldingFiltersProps {
  /** How many of them differ from how they start. */
  active: number;
  children: ReactNode;
}

/** `active` is how many filters are set, told on the button. */
export function FoldingFilters({ active, children }: FoldingFiltersProps) {
  const isPhone = useMedia(PHONE);
  const [isOpen, setIsOpen] = useState(false);
  if (!isPhone) return children;
  return (
    <>
      <Button isPressed={active > 0} onClick={() => setIsOpen(true)}>
        <IconFilter size={15} aria-hidden />
        {words.withCount(active)}
      </Button>
      {isOpen && (
        <Sheet label={words.title} side="bottom" hasTitle onClose={() => setIsOpen(false)}>
          <div className={classes.fields}>
            {children}
            <Button look="primary" onClick={() => setIsOpen(false)}>
              {words.done}
            </Button>
          </div>
        </Sheet>
      )}
    </>
  );
}
