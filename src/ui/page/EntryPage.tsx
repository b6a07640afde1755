import type { ReactNode } from 'react';
import classes from './EntryPage.module.css';
import { ProductMark } from '../marks/ProductMark.tsx';

interface EntryPageProps {
  title: string;
  /** A little wider than a sign-in form. */
  isWide?: boolean;
  children: ReactNode;
}

/** A page before the app: one card in the middle, under the product's mark. */
export function EntryPage({ title, isWide = false, children }: EntryPageProps) {
  return (
    <main className={classes.page}>
      <div className={classes.card} data-wide={isWide || undefined}>
        <div className={classes.mark}>
          <ProductMark size={32} />
          <h1>{title}</h1>
        </div>
        {children}
      </div>
    </main>
  );
}

/** What went wrong, for everybody to see and hear. */
export function EntryAlert({ children }: { children: ReactNode }) {
  return (
    <p className={classes.alert} role="alert">
      {children}
    </p>
  );
}
