/** Where else the user is signed in, and the way to end it. */
import type { OwnSession } from '../../contract/http/identity/identity-flow.ts';
import { useOwnSessions } from '../../data/session/use-own-sessions.ts';
import { deviceName } from '../../domain/device-name.ts';
import { formatInstant } from '../../domain/time/format.ts';
import { ConfirmButton } from '../../ui/actions/ConfirmButton.tsx';
import { EntryAlert } from '../../ui/page/EntryPage.tsx';
import classes from './identity.module.css';
import { messages } from './messages.ts';

const words = messages.sessions;

function SessionLine({ session, onRevoke }: { session: OwnSession; onRevoke: () => void }) {
  const device = session.devices?.[0];
  const since = session.authenticated_at;
  return (
    <li className={classes.session}>
      <span>
        {deviceName(device?.user_agent ?? '') ?? words.unknown}
        <small>
          {[device?.ip_address, since ? words.since(formatInstant(Date.parse(since))) : null]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </span>
      <ConfirmButton
        label={words.revoke}
        question={words.revokeQuestion}
        confirm={words.confirm}
        onConfirm={onRevoke}
      />
    </li>
  );
}

/** Of the account's other sessions; this one ends by signing out. */
export function OwnSessions() {
  const { others, error, revoke } = useOwnSessions();
  return (
    <section className={classes.section}>
      <h2>{words.title}</h2>
      {error !== null && <EntryAlert>{messages.errorText(error)}</EntryAlert>}
      {others?.length === 0 && <p className={classes.hint}>{words.only}</p>}
      {others !== null && others.length > 0 && (
        <>
          <ul className={classes.sessions}>
            {others.map((session) => (
              <SessionLine key={session.id} session={session} onRevoke={() => revoke(session.id)} />
            ))}
          </ul>
          <span>
            <ConfirmButton
              label={words.revokeAll}
              question={words.revokeAllQuestion}
              confirm={words.confirm}
              onConfirm={() => revoke(null)}
            />
          </span>
        </>
      )}
    </section>
  );
}
