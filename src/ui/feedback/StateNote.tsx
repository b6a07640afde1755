import type { ReactNode } from 'react';
import classes from './StateNote.module.css';

interface StateNoteProps {
  title: string;
  icon?: ReactNode;
  /** A page of its own has the page's heading. */
  level?: 1 | 2;
  children?: ReactNode;
  actions?: ReactNode;
  role?: 'alert' | 'status';
}

/** Says why there is nothing to see, and what to do next. */
export function StateNote({ title, icon, level = 2, children, actions, role }: StateNoteProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className={classes.root} {...(role === undefined ? {} : { role })}>
      {icon !== undefined && <span className={classes.icon}>{icon}</span>}
      <Heading>{title}</Heading>
      {children}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
