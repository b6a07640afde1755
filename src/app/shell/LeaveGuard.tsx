/** Asks before a page is left whose form has text that is not sent; of leaving the app, the browser asks. */
import { useBlocker } from '@tanstack/react-router';
import { DiscardQuestion } from '../../ui/overlays/Sheet.tsx';
import { hasUnsavedForm } from '../platform-reload.ts';

/** See the head of this file. What only changes the address within a page leaves its forms as they are. */
export function LeaveGuard() {
  const blocked = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsavedForm(),
    enableBeforeUnload: hasUnsavedForm,
    withResolver: true,
  });
  if (blocked.status !== 'blocked') return null;
  return <DiscardQuestion onDiscard={blocked.proceed} onKeep={blocked.reset} />;
}
