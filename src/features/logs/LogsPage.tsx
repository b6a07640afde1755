/** What a component logs (spec 3 §2 'Logs'): chosen here, read from the log backends, looked through on this device. */
import { IconFileText } from '@tabler/icons-react';
import { useRef } from 'react';
import { useSearchText } from '../../ui/hooks/use-search-text.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { useSearchState } from '../../ui/search/use-search-state.ts';
import { LogView, type AskLines } from './LogView.tsx';
import { LogsChooser, LogsSearchBox } from './LogsToolbar.tsx';
import classes from './logs.module.css';
import { messages } from './messages.ts';
import { logsSearch } from './search-schema.ts';
import { useChosenLog, useComponents } from './use-logs-state.ts';

const icon = <IconFileText size={32} stroke={1.3} />;

/** See the head of this file. */
export function LogsPage() {
  const [search, change] = useSearchState(logsSearch);
  const { topologyId = null } = search;
  const { components, component, hasFailed } = useComponents(topologyId);
  const { text, ...field } = useSearchText(search.query ?? '', (query) =>
    change({ query: query === '' ? undefined : query }),
  );
  const ask = useRef<AskLines | null>(null);
  const { load, question, readAll, stop, follow, readAgain } = useChosenLog(search, text);
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
            {...field}
            setText={(next) => {
              // Asked inside the key's own event: the page is drawn while the lines are looked through.
              ask.current?.(next);
              field.setText(next);
            }}
          />
        )}
      </header>
      {hasFailed && (
        <p role="alert" className={classes.problem}>
          {messages.componentsFailed}
        </p>
      )}
      {topologyId === null && (
        <StateNote title={messages.choose} icon={icon}>
          <p>{messages.chooseHint}</p>
        </StateNote>
      )}
      {load?.status === 'failed' && (
        <StateNote
          title={component !== null && selectors.length === 0 ? messages.noSelector : messages.failed}
          icon={icon}
          role="alert"
          actions={<Button onClick={readAgain}>{messages.retry}</Button>}
        >
          <p>{load.error === null ? '' : messages.errorText(load.error)}</p>
          {component !== null && selectors.length === 0 && <p>{messages.noSelectorHint}</p>}
        </StateNote>
      )}
      {topologyId !== null && load !== null && load.status !== 'failed' && (
        <LogView
          key={JSON.stringify([question?.componentId, question?.name, question?.start])}
          componentId={topologyId}
          name={name}
          selector={search.logsSelector ?? selectors[0] ?? ''}
          text={text}
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
