/**
 * The pages before the app: sign-in, registration, recovery, verification (spec 3 §2 'Identity pages'). Which
 * fields there are is the server's decision; this draws them.
 */
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import type { IdentityFlow } from '../../contract/http/identity/identity-flow.ts';
import {
  useIdentityFlow,
  type FlowFollowers,
  type FlowQuestion,
} from '../../data/session/use-identity-flow.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { EntryPage } from '../../ui/page/EntryPage.tsx';
import { formsOf } from './flow-parts.ts';
import { FlowForm } from './FlowForm.tsx';
import { FlowNotes } from './FlowNotes.tsx';
import classes from './identity.module.css';
import { messages } from './messages.ts';
import { useRetryWhenBack } from './use-retry-when-back.ts';

interface FlowPageProps extends FlowFollowers {
  question: FlowQuestion;
  /** Told where the flow leads afterwards, as soon as it is known. */
  onFlow: (flow: IdentityFlow) => void;
  /** By the flow, once it is there. */
  title: (flow: IdentityFlow | null) => string;
  /** Sent at once when the form is there: a demonstration's own sign-in. */
  autoSubmit?: Readonly<Record<string, string>> | null;
  /** The ways to the other pages. */
  links: (flow: IdentityFlow | null) => ReactNode;
}

const nothing = () => {};

/** `onFlow` is told of each form that the server gave, `onDone` of the end. */
export function FlowPage({ question, title, autoSubmit = null, links, onFlow, onGo, onDone }: FlowPageProps) {
  const isOffline = useSyncStatus().connection === 'offline';
  const handle = useIdentityFlow(question, { onGo, onDone });
  const { flow, isBusy, error, submit, retry } = handle;
  useRetryWhenBack(isOffline, flow !== null, retry);
  useEffect(() => {
    if (flow !== null) onFlow(flow);
  }, [flow, onFlow]);
  const isSent = useRef(false);
  useEffect(() => {
    if (flow === null || autoSubmit === null || isSent.current) return;
    isSent.current = true;
    const csrf = flow.ui.nodes.find((node) => node.attributes.name === 'csrf_token')?.attributes.value;
    submit({ ...autoSubmit, method: 'password', csrf_token: csrf });
  }, [flow, autoSubmit, submit]);
  const forms = flow === null ? [] : formsOf(question.kind, flow);
  return (
    <EntryPage title={title(flow)}>
      <FlowNotes state={handle} offlineText={isOffline ? messages.offline : null} />
      {flow === null && isBusy && !isOffline && <p role="status">{messages.loading}</p>}
      {flow === null && !isBusy && error !== null && !isOffline && (
        <Button onClick={retry}>{messages.retry}</Button>
      )}
      {forms.map((parts, index) => (
        <FlowForm
          key={`${flow?.id ?? ''} ${parts.group}`}
          parts={parts}
          isBusy={isBusy}
          isDisabled={isOffline}
          takesFocus={index === 0}
          onSubmit={isBusy ? nothing : submit}
        />
      ))}
      <div className={classes.links}>{links(flow)}</div>
    </EntryPage>
  );
}
