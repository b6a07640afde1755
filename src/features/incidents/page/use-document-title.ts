import { useEffect } from 'react';
import { messages } from './messages.ts';

/** The browser's title while an incident is shown (spec 3 §2), and what it was before once it isn't. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = messages.documentTitle(title);
    return () => {
      document.title = before;
    };
  }, [title]);
}
