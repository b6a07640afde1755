import type { StoredLogLine } from '../../../domain/incident/evidence-log.ts';
import { formatSecond } from '../../../domain/time/format.ts';
import { SafeText } from '../../../ui/marks/SafeText.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import classes from './evidence.module.css';
import { messages } from './messages.ts';

const MAX_LINE_CHARS = 2000;
const SHOWN_LABELS = 4;

function Labels({ labels }: { labels: Readonly<Record<string, string>> }) {
  const entries = Object.entries(labels);
  if (entries.length === 0) return null;
  return (
    <span className={classes.labels} title={entries.map((pair) => pair.join(': ')).join('\n')}>
      {entries.slice(0, SHOWN_LABELS).map(([name, value]) => (
        <Tag key={name} name={name} value={value} />
      ))}
      {entries.length > SHOWN_LABELS && <span>+{entries.length - SHOWN_LABELS}</span>}
    </span>
  );
}

function Line({ line }: { line: StoredLogLine }) {
  const atMs = line.timestamp === null ? Number.NaN : Date.parse(line.timestamp);
  return (
    <li
      className={`${classes.logLine} ${line.isSelected ? classes.selected : ''}`}
      data-selected={line.isSelected}
    >
      <span className={classes.number} aria-hidden="true">
        {line.isSelected ? '▸' : ''}
        {line.number}
      </span>
      <span className={classes.said}>
        {line.isSelected && <span className="visually-hidden">{messages.log.selected} </span>}
        {!Number.isNaN(atMs) && (
          <time dateTime={line.timestamp ?? ''} className={classes.at}>
            {formatSecond(atMs)}
          </time>
        )}
        <span className={classes.message}>
          <SafeText text={line.message} maxChars={MAX_LINE_CHARS} />
        </span>
        <Labels labels={line.labels} />
      </span>
    </li>
  );
}

/** Lines of a log in order; where some between are missing, a mark says so. */
export function LogLines({ lines }: { lines: readonly StoredLogLine[] }) {
  return (
    <ol className={classes.log} aria-label={messages.log.label} tabIndex={0}>
      {lines.map((line, at) => {
        const before = lines[at - 1];
        const isApart = before !== undefined && line.number > before.number + 1;
        return [
          isApart && (
            <li key={`gap ${line.number}`} className={classes.gap}>
              {messages.log.gap(line.number - (before?.number ?? 0) - 1)}
            </li>
          ),
          <Line key={line.number} line={line} />,
        ];
      })}
    </ol>
  );
}
