/** The lines of one log: narrowed at typing speed, followed, chosen, saved. */
import { IconFileText } from '@tabler/icons-react';
import { useCallback, useEffect, useImperativeHandle, useState } from 'react';
import type { LogFileForm, LogQuery } from '../../contract/logs/log-view.ts';
import { packLogLines, useLogView, writeLogs, type LogViewState } from '../../data/queries/logs/use-log.ts';
import type { LogLoad } from '../../data/queries/logs/log-reader.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { saveFile } from '../../ui/actions/save-file.ts';
import { useDevice } from '../../ui/Device.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { useStoredChoice } from '../../ui/hooks/use-stored-choice.ts';
import { useAttachEvidence } from '../../ui/page/AttachEvidence.tsx';
import { GroupFilter } from './GroupFilter.tsx';
import { Histogram } from './Histogram.tsx';
import { LineSheet } from './LineSheet.tsx';
import { LevelFilter, LogStatus } from './LogStatus.tsx';
import { LogTable } from './LogTable.tsx';
import { LogsActions } from './LogsToolbar.tsx';
import classes from './logs.module.css';
import { messages } from './messages.ts';
import { useNarrowing } from './use-narrowing.ts';
import { useHorizon } from './use-logs-state.ts';

/** Asks for the lines with another text, ahead of the drawing that will ask for them as well. */
export type AskLines = (text: string) => void;

/** Longer texts are cut: nobody types them. */
const MAX_SEARCH_CHARS = 1000;
/** Then somebody who waits wants to know for what. */
const SLOW_MS = 4000;

export interface LogViewProps {
  componentId: string;
  /** The component's name, and that of the selector. */
  name: string;
  selector: string;
  /** What is searched for, as it is now. */
  readText: () => string;
  /** Where the page finds how to ask. */
  ask: React.Ref<AskLines>;
  load: LogLoad;
  readAll: () => void;
  stop: () => void;
  follow: (newestMs: number | null) => void;
  onRefresh: () => void;
}

/** Attaches the chosen lines with what stands around them. */
function Chosen({
  props,
  seqs,
  onClear,
}: {
  props: LogViewProps;
  seqs: ReadonlySet<number>;
  onClear: () => void;
}) {
  const { attach } = useAttachEvidence();
  const toasts = useToasts();
  if (attach === null || seqs.size === 0) return null;
  const handOver = async () => {
    const answer = await packLogLines(props.load.book, [...seqs]);
    if (!answer.ok || answer.value.payload.lines.length === 0) return toasts.error(messages.gone);
    const { payload, cut } = answer.value;
    if (cut.lines > 0) toasts.error(messages.evidenceCut(cut.lines));
    attach([
      {
        type: 'log',
        description: messages.evidence(props.name, seqs.size - cut.lines),
        component_id: props.componentId,
        evidence: { ...payload, source: `${props.name} ${props.selector}`.trim() },
      },
    ]);
  };
  return (
    <div className={classes.chosen} role="group" aria-label={messages.chosen(seqs.size)}>
      <span>{messages.chosen(seqs.size)}</span>
      <Button look="primary" onClick={() => void handOver()}>
        {messages.attach}
      </Button>
      <Button look="quiet" onClick={onClear}>
        {messages.clearChosen}
      </Button>
    </div>
  );
}

function useDownload({ name, selector }: LogViewProps, readQuery: () => LogQuery) {
  const toasts = useToasts();
  return useCallback(
    async (form: LogFileForm) => {
      const answer = await writeLogs(readQuery(), form);
      if (!answer.ok) return toasts.error(messages.downloadFailed);
      const isText = form === 'text';
      try {
        saveFile({
          name: messages.fileName(name, selector, isText ? 'log' : 'json'),
          type: isText ? 'text/plain' : 'application/json',
          content: answer.value,
        });
        toasts.success(messages.downloaded);
      } catch {
        // The browser has no room for the file: the user is told, and the lines stay where they are.
        toasts.error(messages.downloadFailed);
      }
    },
    [name, selector, readQuery, toasts],
  );
}

/** Asks for newer lines each second while it is on and the page is looked at. */
function useFollowing(isLive: boolean, follow: () => void) {
  const device = useDevice();
  useEffect(() => (isLive ? device.onTick(follow) : undefined), [device, isLive, follow]);
}

/** Before the first lines; says so when a backend takes long. */
function Reading() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return <SkeletonRows text={isSlow ? messages.slow : messages.loading} />;
}

function Lines({ load, view, children }: { load: LogLoad; view: LogViewState; children: React.ReactNode }) {
  const { frame } = view;
  if (load.status === 'loading' || (load.status === 'ready' && !frame.isLoaded)) return <Reading />;
  if (frame.rowCount > 0) return children;
  return (
    <StateNote title={messages.empty} icon={<IconFileText size={32} stroke={1.3} />}>
      <p>{messages.emptyHint(frame.totalCount)}</p>
    </StateNote>
  );
}

/** Lines that are chosen, by their number. */
function useChosenLines() {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  // One function for as long as the page is there: a row is drawn anew only when it changed.
  const choose = useCallback((seq: number) => {
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(seq)) next.add(seq);
      return next;
    });
  }, []);
  const clear = () => setChosen(new Set());
  return { chosen, choose, clear };
}

/** See the head of this file. */
export function LogView(props: LogViewProps) {
  const { readText, ask, load, readAll, stop, follow, onRefresh } = props;
  const { narrowing, narrow } = useNarrowing();
  const narrowTime = useCallback((between: LogQuery['between']) => narrow({ between }), [narrow]);
  const [isLive, setIsLive] = useState(false);
  const { chosen, choose, clear } = useChosenLines();
  const [opened, setOpened] = useState<number | null>(null);
  const [wrap, setWrap] = useStoredChoice('logs.wrap', ['off', 'on']);
  const wrapLines = useCallback((isOn: boolean) => setWrap(isOn ? 'on' : 'off'), [setWrap]);
  const { attach } = useAttachEvidence();
  const [held, setHeld] = useState<number | null>(null);
  const { book } = load;
  const queryOf = useCallback(
    (search: string): LogQuery => ({
      book,
      search: search.slice(0, MAX_SEARCH_CHARS),
      untilSeq: held,
      ...narrowing,
    }),
    [book, held, narrowing],
  );
  const readQuery = useCallback(() => queryOf(readText()), [queryOf, readText]);
  const query = readQuery();
  const view = useLogView(query);
  useImperativeHandle(ask, () => (next: string) => view.ask(queryOf(next)));
  const { frame } = view;
  const { hold, onTop } = useHorizon({ frame, isLive, held, setHeld });
  const download = useDownload(props, readQuery);
  useFollowing(isLive, () => {
    hold();
    follow(frame.newestMs);
  });
  return (
    <>
      <div className={classes.tools}>
        <LevelFilter levels={frame.levels} chosen={narrowing.levels} narrow={narrow} />
        <GroupFilter
          labelNames={frame.labelNames}
          groups={frame.groups}
          groupCount={frame.groupCount}
          narrowing={narrowing}
          narrow={narrow}
        />
        <LogsActions
          isLive={isLive}
          isWrapped={wrap === 'on'}
          hasLines={frame.rowCount > 0}
          onLive={setIsLive}
          onWrap={wrapLines}
          onRefresh={onRefresh}
          onDownload={download}
        />
      </div>
      {frame.histogram !== null && (
        <Histogram histogram={frame.histogram} between={narrowing.between} onBetween={narrowTime} />
      )}
      {load.status === 'ready' && <LogStatus load={load} frame={frame} readAll={readAll} stop={stop} />}
      {frame.waiting > 0 && (
        <Button className={classes.waiting} onClick={() => setHeld(null)}>
          {messages.waiting(frame.waiting)}
        </Button>
      )}
      <Lines load={load} view={view}>
        <LogTable
          view={view}
          isWrapped={wrap === 'on'}
          chosen={chosen}
          onChoose={attach === null ? null : choose}
          onOpen={setOpened}
          onTop={onTop}
        />
      </Lines>
      <Chosen props={props} seqs={chosen} onClear={clear} />
      {opened !== null && <LineSheet query={query} seq={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
