/** The user's own access tokens, and the way to end one; nothing where there are none. */
import type { OwnToken } from '../../contract/http/identity/identity-flow.ts';
import { useOwnTokens } from '../../data/session/use-own-tokens.ts';
import { formatInstant } from '../../domain/time/format.ts';
import { ConfirmButton } from '../../ui/actions/ConfirmButton.tsx';
import { EntryAlert } from '../../ui/page/EntryPage.tsx';
import classes from './identity.module.css';
import { messages } from './messages.ts';

const words = messages.tokens;

function TokenLine({ token, onEnd }: { token: OwnToken; onEnd: () => void }) {
  const { name, scope, created_at: createdAt, expires_at: expiresAt } = token;
  return (
    <li className={classes.session}>
      <span>
        {name}
        <small>
          {[
            scope === null ? words.opensAll : words.opensClusters,
            words.made(formatInstant(Date.parse(createdAt))),
            expiresAt === null ? words.endless : words.ends(formatInstant(Date.parse(expiresAt))),
          ].join(' · ')}
        </small>
      </span>
      <ConfirmButton
        label={words.end}
        question={words.endQuestion(name)}
        confirm={words.confirm}
        onConfirm={onEnd}
      />
    </li>
  );
}

/** They are made elsewhere. */
export function OwnTokens() {
  const { tokens, error, end } = useOwnTokens();
  if (error === null && (tokens === null || tokens.length === 0)) return null;
  return (
    <section className={classes.section}>
      <h2>{words.title}</h2>
      <p className={classes.hint}>{words.hint}</p>
      {error !== null && <EntryAlert>{messages.errorText(error)}</EntryAlert>}
      <ul className={classes.sessions}>
        {tokens?.map((token) => (
          <TokenLine key={token.id} token={token} onEnd={() => end(token.id)} />
        ))}
      </ul>
    </section>
  );
}
