/** What there is to say above a form: no connection, why it is a new form, what the server says. */
import type { FlowState } from '../../data/use-identity-flow.ts';
import classes from './identity.module.css';
import { messages } from './messages.ts';

interface FlowNotesProps {
  state: FlowState;
  /** Said while there is no way to the server. */
  offlineText: string | null;
}

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
      {error !== null && offlineText === null && (
        <p className={classes.alert} role="alert">
          {messages.errorText(error)}
        </p>
      )}
      {flow?.ui.messages.map((message) => (
        <p
          key={`${message.id} ${message.text}`}
          className={message.type === 'error' ? classes.alert : classes.info}
          role={message.type === 'error' ? 'alert' : 'status'}
        >
          {message.text}
        </p>
      ))}
    </>
  );
}
