/** What there is to say above a form: no connection, why it is a new form, what the server says. */
import type { FlowState } from '../../data/session/use-identity-flow.ts';
import { EntryAlert } from '../../ui/page/EntryPage.tsx';
import classes from './identity.module.css';
import { messages } from './messages.ts';

function Message({ type, text }: { type: string; text: string }) {
  if (type === 'error') return <EntryAlert>{text}</EntryAlert>;
  return (
    <p className={classes.info} role="status">
      {text}
    </p>
  );
}

interface FlowNotesProps {
  state: FlowState;
  /** Said while there is no way to the server. */
  offlineText: string | null;
}

/** `offlineText` null while there is a network. */
export function FlowNotes({ state, offlineText }: FlowNotesProps) {
  const { flow, notice, error } = state;
  return (
    <>
      {offlineText !== null && (
        <p className={classes.offline} role="status">
          {offlineText}
        </p>
      )}
      {notice !== null && (
        <p className={classes.info} role="status">
          {notice}
        </p>
      )}
      {error !== null && offlineText === null && <EntryAlert>{messages.errorText(error)}</EntryAlert>}
      {flow?.ui.messages.map((message) => (
        <Message key={`${message.id} ${message.text}`} {...message} />
      ))}
    </>
  );
}
