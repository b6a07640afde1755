/** What a component logs (spec 3 §2 'Logs'): chosen here, read from the log backends, looked through on this device. */
import { IconFileText } from '@tabler/icons-react';
import { useCallback, useRef } from 'react';
import type { ErrorFacts } from '../../contract/errors.ts';
import { useAskedText } from '../../ui/hooks/use-search-text.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { useSearchState } from '../../ui/search/use-search-state.ts';
import { LogView, type AskLines } from './LogView.tsx';
import { LogsChooser, LogsSearchBox } from './LogsToolbar.tsx';
import classes from './logs.module.css';
import { messages } from './messages.ts';
import { logsSearch } from './search-schema.ts';
import { MOST_OF_DEVICE, useChosenLog, useComponents } from './use-logs-state.ts';

const icon = <IconFileText size={32} stroke={1.3} />;

/** Where several log backends failed, each has a line of its own. */
function Reasons({ text }: { text: string }) {
  const reasons = text.split(' · ');
  if (reasons.length === 1) return <p>{text}</p>;
  return (
    <ul className={classes.notes}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

interface FailedProps {
  error: ErrorFacts | null;
  hasSelectors: boolean;
  onRetry: () => void;
}

function Failed({ error, hasSelectors, onRetry }: FailedProps) {
  return (
    <StateNote
      title={hasSelectors ? messages.failed : messages.noSelector}
      icon={icon}
      role="alert"
      actions={<Button onClick={onRetry}>{messages.retry}</Button>}
    >
      {error !== null && <Reasons text={messages.errorText(error)} />}
      {!hasSelectors && <p>{messages.noSelectorHint}</p>}
    </StateNote>
  );
}

/** Spec 3 §9; the server is asked when the link has the text. */
const LINK_DELAY_MS = 500;

/** See the head of this file. */
export function LogsPage() {
  const [search, change] = useSearchState(logsSearch);
  const { topologyId = null } = search;
  const { components, component, isGone, cutFrom, hasFailed } = useComponents(topologyId);
  const link = useCallback((query: string) => change({ query: query === '' ? undefined : query }), [change]);
  const { readText, seed, seedId, setText } = useAskedText(search.query ?? '', link, LINK_DELAY_MS);
  const ask = useRef<AskLines | null>(null);
  const { load, question, readAll, stop, follow, readAgain } = useChosenLog(search);
  // A server that can't be reached has not said so.
  const isMissing = isGone && load?.error?.code === 'invalid';
  const selectors = component?.logs ?? [];
  const name = component?.name ?? components.find(({ id }) => id === topologyId)?.name ?? '';
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h1>{messages.title}</h1>
        <LogsChooser
          search={search}
          components={components}
          selectors={selectors}
          onChange={(part) => change(part, { isReplacing: false })}
        />
        {topologyId !== null && (
          <LogsSearchBox
            seed={seed}
            seedId={seedId}
            setText={(next) => {
              // Asked inside the key's own event, which draws the field alone: the answer draws the lines.
              ask.current?.(next);
              setText(next);
            }}
          />
        )}
      </header>
      {hasFailed && (
        <p role="alert" className={classes.problem}>
          {messages.componentsFailed}
        </p>
      )}
      {cutFrom !== null && (
        <p role="status" className={classes.problem}>
          {messages.componentsCut(MOST_OF_DEVICE, cutFrom)}
        </p>
      )}
      {topologyId === null && (
        <StateNote title={messages.choose} icon={icon}>
          <p>{messages.chooseHint}</p>
        </StateNote>
      )}
      {load?.status === 'failed' && isMissing && (
        <StateNote title={messages.noComponent} icon={icon} role="alert">
          <p>{messages.noComponentHint}</p>
        </StateNote>
      )}
      {load?.status === 'failed' && !isMissing && (
        <Failed
          error={load.error}
          hasSelectors={component === null || selectors.length > 0}
          onRetry={readAgain}
        />
      )}
      {topologyId !== null && load !== null && load.status !== 'failed' && (
        <LogView
          key={JSON.stringify([question?.componentId, question?.name, question?.start])}
          componentId={topologyId}
          name={name}
          selector={search.logsSelector ?? selectors[0] ?? ''}
          readText={readText}
          ask={ask}
          load={load}
          readAll={readAll}
          stop={stop}
          follow={follow}
          onRefresh={readAgain}
        />
      )}
    </div>
  );
}
