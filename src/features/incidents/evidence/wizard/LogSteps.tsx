/** A log as evidence: paste it or open a file, then choose the lines that matter. Nothing of it leaves the device
 * but what was chosen, with three lines around. */
import { IconFolderOpen } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { EvidenceDraft, EvidenceLogLine } from '../../../../domain/incident/evidence-draft.ts';
import { packLog } from '../../../../domain/incident/evidence-log.ts';
import { parseLogText } from '../../../../domain/incident/log-text.ts';
import { Button, buttonClass } from '../../../../ui/actions/Button.tsx';
import { SearchBox } from '../../../../ui/fields/SearchBox.tsx';
import { TextField } from '../../../../ui/fields/TextField.tsx';
import { LogLineList } from './LogLineList.tsx';
import { messages } from './messages.ts';
import { useLogSelection } from './use-log-selection.ts';
import classes from './wizard.module.css';

const words = messages.log;
/** More than a page can hold beside everything else on a small phone. */
const MAX_FILE_BYTES = 5_000_000;

/** A field with more than this is slow to lay out; a list of lines isn't. */
const MAX_FIELD_CHARS = 50_000;

/** A log that was taken apart. */
export interface OpenedLog {
  name: string;
  lines: readonly EvidenceLogLine[];
  /** Only its beginning was read. */
  isCut: boolean;
}

/** The log of a text; null when it has no line. */
export function openText(text: string, name: string = words.pasted): OpenedLog | null {
  const lines = parseLogText(text.slice(0, MAX_FILE_BYTES));
  return lines.some(({ message }) => message.trim() !== '')
    ? { name, lines, isCut: text.length > MAX_FILE_BYTES }
    : null;
}

interface LogTextStepProps {
  text: string;
  problem: string | undefined;
  onText: (text: string) => void;
  onOpened: (log: OpenedLog) => void;
  onProblem: (problem: string) => void;
}

/** Of a large file its beginning is read, and it is said that it was cut. */
export function LogTextStep({ text, problem, onText, onOpened, onProblem }: LogTextStepProps) {
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    const log = openText(await file.slice(0, MAX_FILE_BYTES).text(), words.from(file.name));
    if (log === null) onProblem(words.empty);
    else onOpened({ ...log, isCut: file.size > MAX_FILE_BYTES });
  };
  return (
    <div className={classes.stack}>
      <label className={`${buttonClass('outline')} ${classes.file}`}>
        <IconFolderOpen size={16} aria-hidden />
        {words.open}
        <input
          type="file"
          accept=".log,.txt,.json,.jsonl,.ndjson,.out,.err,text/*,application/json"
          className="visually-hidden"
          onChange={(event) => {
            open(event.currentTarget.files?.[0]).catch(() => onProblem(words.unreadable));
            event.currentTarget.value = '';
          }}
        />
      </label>
      <div
        className={classes.pasted}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text/plain');
          const log = pasted.length > MAX_FIELD_CHARS ? openText(pasted) : null;
          if (log === null) return;
          event.preventDefault();
          onOpened(log);
        }}
      >
        <TextField
          isLong
          hasFocus
          label={words.paste}
          placeholder={words.placeholder}
          value={text}
          error={problem}
          onChange={onText}
        />
      </div>
    </div>
  );
}

/** The log as a draft, with what could not be kept of it. */
export function logDraft(log: OpenedLog, selected: ReadonlySet<number>, description: string) {
  const { payload, cut } = packLog(log.lines, selected);
  const draft: EvidenceDraft = {
    type: 'log',
    description,
    evidence: { ...payload, source: log.name },
  };
  return { draft, cut };
}

interface LogLinesStepProps {
  log: OpenedLog;
  description: string;
  selected: ReadonlySet<number>;
  problem: string | null;
  onDescription: (description: string) => void;
  onSelected: (selected: ReadonlySet<number>) => void;
}

function Cut({ log, selected }: { log: OpenedLog; selected: ReadonlySet<number> }) {
  const cut = useMemo(() => packLog(log.lines, selected).cut, [log, selected]);
  const notes = [
    log.isCut ? words.tooLong('5 MB') : null,
    cut.lines > 0 ? words.cutLines(cut.lines) : null,
    cut.shortened > 0 ? words.shortened(cut.shortened) : null,
    cut.context > 0 ? words.cutContext(cut.context) : null,
  ].filter((note) => note !== null);
  return (
    <div role="status" className={classes.notes}>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  );
}

/** `selected` are numbers of lines, from 0. */
export function LogLinesStep(props: LogLinesStepProps) {
  const { log, description, selected, problem, onDescription, onSelected } = props;
  const [search, setSearch] = useState('');
  const shown = useMemo(() => {
    const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
    return log.lines.flatMap(({ message }, at) => {
      const lower = wanted.length === 0 ? '' : message.toLowerCase();
      return wanted.every((word) => lower.includes(word)) ? [at] : [];
    });
  }, [log, search]);
  const selection = useLogSelection(shown, { selected, onSelected });
  return (
    <>
      <div className={classes.lineBar}>
        <SearchBox
          label={words.find}
          placeholder={words.find}
          clearLabel={messages.clear}
          seed=""
          seedId={0}
          onChange={setSearch}
          className={classes.search ?? ''}
        />
        <Button
          look="quiet"
          isPressed={selection.isRange}
          disabled={selected.size === 0}
          onClick={() => selection.setIsRange(!selection.isRange)}
        >
          {selection.isRange ? words.rangeHint : words.range}
        </Button>
      </div>
      {shown.length === 0 ? (
        <p className={classes.dim}>{words.nothing}</p>
      ) : (
        <LogLineList lines={log.lines} shown={shown} selection={selection} />
      )}
      <div className={classes.lineFoot}>
        <p role="status" className={classes.dim}>
          {words.count(selected.size, log.lines.length)}. {words.context}
        </p>
        <Cut log={log} selected={selected} />
        {problem !== null && selected.size === 0 && <p role="alert">{problem}</p>}
        <TextField label={words.description} value={description} onChange={onDescription} />
      </div>
    </>
  );
}
