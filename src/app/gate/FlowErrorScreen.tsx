/** Why an identity flow ended (spec 1 §2 'Flow error page'); what can't be told any more leads home. */
import { IconAlertOctagon } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { readFlowError } from '../../data/commands/commands.ts';
import type { FlowError } from '../../contract/http/shell.ts';
import type { ErrorFacts } from '../../contract/errors.ts';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { messages } from '../messages.ts';
import classes from './gate.module.css';
import { BackLink, StartingScreen } from './screens.tsx';

const words = messages.gate;
/** Unknown, somebody else's, too old. */
const UNTELLABLE: ReadonlySet<number | null> = new Set([403, 404, 410]);

type Found = { kind: 'asking' } | { kind: 'told'; flow: FlowError } | { kind: 'failed'; error: ErrorFacts };

function textOf({ error }: FlowError): string {
  return error?.reason ?? error?.message ?? words.unknownError;
}

/** `id` is the error's, from the address. */
export function FlowErrorScreen({ id, onGo }: { id: string; onGo: (path: string) => void }) {
  const [found, setFound] = useState<Found>({ kind: 'asking' });
  useEffect(() => {
    let isCurrent = true;
    void readFlowError(id).then((answer) => {
      if (!isCurrent) return;
      if (answer.ok) setFound({ kind: 'told', flow: answer.value });
      else if (UNTELLABLE.has(answer.error.status)) onGo('/');
      else setFound({ kind: 'failed', error: answer.error });
    });
    return () => {
      isCurrent = false;
    };
  }, [id, onGo]);
  if (found.kind === 'asking') return <StartingScreen />;
  return (
    <main className={classes.screen}>
      <StateNote
        level={1}
        role="alert"
        title={words.flowFailed}
        icon={<IconAlertOctagon size={36} stroke={1.3} />}
        actions={<BackLink />}
      >
        <p>{found.kind === 'told' ? textOf(found.flow) : words.errorText(found.error)}</p>
        {found.kind === 'told' && (
          <pre className={classes.facts}>{JSON.stringify(found.flow.error ?? {}, null, 2)}</pre>
        )}
      </StateNote>
    </main>
  );
}
