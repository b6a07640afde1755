/**
 * Shows the toast store's messages. They sit in the innermost open dialog, if there is one: what is outside of a
 * modal dialog is below it and inert, for the pointer, the keyboard and screen readers alike.
 */
import { IconAlertOctagon, IconCircleCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { AppLink } from '../actions/AppLink.tsx';
import { Button, IconButton } from '../actions/Button.tsx';
import { messages } from '../messages.ts';
import type { Toast, ToastStore } from './toast-store.ts';
import classes from './Toasts.module.css';

const ToastContext = createContext<ToastStore | null>(null);

/** Says things: `success(text)`, `error(text)`, and `offer(text, {label, act, forMs})` for what can be undone. */
export function useToasts(): Pick<ToastStore, 'success' | 'error' | 'offer'> {
  const store = useContext(ToastContext);
  if (store === null) throw new Error('ToastProvider is missing');
  return store;
}

const topmost = (): Element => [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;

/** Where the messages have to be to be reached; follows dialogs that open and close. */
function useHost(): Element {
  const [host, setHost] = useState(topmost);
  useEffect(() => {
    const look = () => setHost(topmost());
    look();
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['open'] });
    return () => observer.disconnect();
  }, []);
  return host;
}

function ToastLine({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const isError = toast.kind === 'error';
  const Mark = isError ? IconAlertOctagon : IconCircleCheck;
  return (
    <li className={`${classes.toast} ${isError ? classes.error : ''}`}>
      <Mark size={18} stroke={1.6} aria-hidden className={classes.mark} />
      <span role={isError ? 'alert' : 'status'} className={classes.text}>
        {toast.text}
        {toast.link !== undefined && (
          <AppLink href={toast.link.href} className={classes.link} onClick={onClose}>
            {toast.link.text}
          </AppLink>
        )}
      </span>
      {toast.offer !== null && (
        <Button
          look="quiet"
          className={classes.offer}
          onClick={() => {
            onClose();
            toast.offer?.act();
          }}
        >
          {toast.offer.label}
        </Button>
      )}
      <IconButton label={messages.toast.close} onClick={onClose}>
        <IconX size={16} aria-hidden />
      </IconButton>
    </li>
  );
}

function Stack({ store, toasts }: { store: ToastStore; toasts: readonly Toast[] }) {
  const host = useHost();
  // A dialog that closes takes the pointer's leaving with it.
  useEffect(() => () => store.release(), [store, host]);
  return createPortal(
    <section
      aria-label={messages.toast.region}
      className={classes.stack}
      onMouseEnter={() => store.hold()}
      onMouseLeave={() => store.release()}
      onFocus={() => store.hold()}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) store.release();
      }}
      onKeyDown={(event) => {
        const newest = toasts.at(-1);
        if (event.key !== 'Escape' || newest === undefined) return;
        // The message goes, not the dialog around it.
        event.preventDefault();
        event.stopPropagation();
        store.dismiss(newest.id);
      }}
    >
      <ol>
        {toasts.map((toast) => (
          <ToastLine key={toast.id} toast={toast} onClose={() => store.dismiss(toast.id)} />
        ))}
      </ol>
    </section>,
    host,
  );
}

/** At the root; what is below it tells through `useToasts`. */
export function ToastProvider({ store, children }: { store: ToastStore; children: ReactNode }) {
  const toasts = useSyncExternalStore(store.subscribe, store.get);
  return (
    <ToastContext value={store}>
      {children}
      {toasts.length > 0 && <Stack store={store} toasts={toasts} />}
    </ToastContext>
  );
}
