/**
 * Says aloud that the number of unhealthy checks changed: "2 unhealthy, was 1". Sparingly: after it has been
 * quiet for a moment, and of the last number that was said.
 */
import { useEffect, useRef, useState } from 'react';
import { messages } from './messages.ts';

const SETTLE_MS = 2500;

/** A live region that isn't seen. */
export function HealthAnnouncer({ unhealthy, isLoaded }: { unhealthy: number; isLoaded: boolean }) {
  const said = useRef<number | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    if (!isLoaded) return;
    if (said.current === null) said.current = unhealthy;
    if (said.current === unhealthy) return;
    const timer = setTimeout(() => {
      setText(messages.announce(unhealthy, said.current ?? 0));
      said.current = unhealthy;
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [unhealthy, isLoaded]);
  return (
    <div role="status" aria-live="polite" className="visually-hidden">
      {text}
    </div>
  );
}
