import { messages } from '../messages.ts';
import classes from './PendingMark.module.css';

/**
 * Says of something on screen that the server doesn't know it yet: an open ring, half filled once it is sent, dashed
 * before it is on the disk.
 */
export function PendingMark({
  state,
  hasText = false,
}: {
  state: 'saving' | 'kept' | 'sent';
  hasText?: boolean;
}) {
  const text = messages.pending[state];
  return (
    <span className={classes.root} title={text} data-pending={state}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle
          cx="6"
          cy="6"
          r="4.6"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.4"
          strokeDasharray={state === 'saving' ? '2 2' : undefined}
        />
        {state === 'sent' && <path d="M6 1.4a4.6 4.6 0 0 1 0 9.2Z" fill="currentColor" />}
      </svg>
      <span className={hasText ? '' : 'visually-hidden'}>{text}</span>
    </span>
  );
}
