import { messages } from '../messages.ts';
import type { PendingVerb } from '../page/Bulk.tsx';
import { PendingMark } from './PendingMark.tsx';
import classes from './PendingMark.module.css';

/** Says of a row what was asked for it and is not done yet; `isShort` only by its mark, and in words for who hovers. */
export function PendingVerbMark({
  pending: { verb, state },
  isShort = false,
}: {
  pending: PendingVerb;
  isShort?: boolean;
}) {
  const text = messages.pendingVerbs[verb];
  return (
    <span className={classes.verb} title={text} data-pending-verb={verb}>
      <PendingMark state={state} />
      <span className={isShort ? 'visually-hidden' : ''}>{text}</span>
    </span>
  );
}
