import { useEffect, useRef, type ReactNode } from 'react';
import classes from './side-by-side.module.css';

/**
 * What was chosen in a list, beside it. The focus stays in the list, so that its keys go on to the next; Tab leads here,
 * and Escape here closes it and leads back.
 */
export function BesidePane({
  label,
  onClose,
  children,
}: {
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    opener.current = document.activeElement;
  }, []);
  return (
    <section
      className={classes.pane}
      aria-label={label}
      tabIndex={-1}
      data-pane="detail"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
        if (opener.current instanceof HTMLElement) opener.current.focus();
      }}
    >
      {children}
    </section>
  );
}
