import type { ReactNode } from 'react';
import classes from './item.module.css';

/** A part of the sidebar under its heading. */
export function Section(props: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <div className={classes.sectionHead}>
        <h2>{props.title}</h2>
        {props.action}
      </div>
      {props.children}
    </section>
  );
}
