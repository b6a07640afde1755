import { IconDownload, IconPlayerPlay, IconRefresh, IconTextWrap } from '@tabler/icons-react';
import { memo } from 'react';
import { LOG_FILE_FORMS, type LogFileForm } from '../../contract/logs/log-view.ts';
import { useReachable } from '../../data/device/use-reachable.ts';
import { isTimeRange, TIME_RANGES, type TimeRange } from '../../domain/time/ranges.ts';
import { Button, IconButton } from '../../ui/actions/Button.tsx';
import { SearchBox } from '../../ui/fields/SearchBox.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { MenuItem, Popover } from '../../ui/overlays/Popover.tsx';
import classes from './logs.module.css';
import { messages } from './messages.ts';
import type { LogsSearch } from './search-schema.ts';
import { DEFAULT_START } from './use-logs-state.ts';

const RANGES = TIME_RANGES.map(({ value }) => ({ value, label: value }));

interface ChooserProps {
  search: LogsSearch;
  components: readonly { id: string; name: string }[];
  selectors: readonly string[];
  onChange: (change: Partial<LogsSearch>) => void;
}

/** Whose logs, which of them, and of what time. */
export function LogsChooser({ search, components, selectors, onChange }: ChooserProps) {
  const { topologyId = '', logsSelector, start = DEFAULT_START } = search;
  return (
    <>
      <SelectField
        label={messages.component}
        value={topologyId}
        options={[
          { value: '', label: messages.none },
          ...components.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(value) =>
          onChange({ topologyId: value === '' ? undefined : value, logsSelector: undefined })
        }
      />
      {selectors.length > 0 && (
        <SelectField
          label={messages.selector}
          value={logsSelector ?? selectors[0] ?? ''}
          options={selectors.map((value) => ({ value, label: value === '' ? messages.unnamed : value }))}
          onChange={(value) => onChange({ logsSelector: value })}
        />
      )}
      <SelectField
        label={messages.range}
        value={start}
        options={RANGES}
        onChange={(value) => {
          if (isTimeRange(value))
            onChange({ start: value === DEFAULT_START ? undefined : (value as TimeRange) });
        }}
      />
    </>
  );
}

interface SearchProps {
  seed: string;
  seedId: number;
  setText: (text: string) => void;
}

/** Searched at each key, written to the link a moment later. */
export function LogsSearchBox({ seed, seedId, setText }: SearchProps) {
  return (
    <SearchBox
      label={messages.search}
      placeholder={messages.search}
      clearLabel={messages.clearSearch}
      seed={seed}
      seedId={seedId}
      onChange={setText}
      className={classes.search ?? ''}
    />
  );
}

const DOWNLOADS: Readonly<Record<LogFileForm, string>> = {
  text: messages.downloadText,
  json: messages.downloadJson,
  counted: messages.downloadCounted,
};

interface ActionsProps {
  isLive: boolean;
  isWrapped: boolean;
  hasLines: boolean;
  onLive: (isLive: boolean) => void;
  onWrap: (isWrapped: boolean) => void;
  onRefresh: () => void;
  onDownload: (form: LogFileForm) => Promise<void>;
}

/** What can be done with the lines. Drawn anew only when it says something else. */
export const LogsActions = memo(function LogsActions(props: ActionsProps) {
  const { isLive, isWrapped, hasLines, onLive, onWrap, onRefresh, onDownload } = props;
  const isReachable = useReachable();
  return (
    <span className={classes.actions}>
      <Button
        isPressed={isLive}
        disabled={!isReachable}
        title={isReachable ? undefined : messages.liveOffline}
        onClick={() => onLive(!isLive)}
      >
        <IconPlayerPlay size={15} aria-hidden />
        {messages.live}
      </Button>
      <IconButton label={messages.wrap} isPressed={isWrapped} onClick={() => onWrap(!isWrapped)}>
        <IconTextWrap size={17} />
      </IconButton>
      <IconButton label={messages.refresh} disabled={!isReachable} onClick={onRefresh}>
        <IconRefresh size={17} />
      </IconButton>
      <Popover
        kind="menu"
        label={messages.download}
        trigger={(trigger) => (
          <IconButton {...trigger} label={messages.download} disabled={!hasLines}>
            <IconDownload size={17} />
          </IconButton>
        )}
      >
        {(close) =>
          LOG_FILE_FORMS.map((form) => (
            <MenuItem
              key={form}
              onSelect={() => {
                close();
                void onDownload(form);
              }}
            >
              {DOWNLOADS[form]}
            </MenuItem>
          ))
        }
      </Popover>
    </span>
  );
});
