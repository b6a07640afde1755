import type { LiveRow } from '../../../contract/live-query.ts';
import {
  msToAcknowledge,
  PROGRESS_STEPS,
  type ProgressStep,
} from '../../../domain/incident/responder-progress.ts';
import { responderTypeOf } from '../../../domain/incident/responder-type.ts';
import { formatInstant, formatSpan } from '../../../domain/time/format.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { ArrivedLate } from '../ArrivedLate.tsx';
import type { RecordOf } from '../use-records.ts';
import { fieldWord } from './DetailField.tsx';
import { messages } from './messages.ts';
import classes from './responders.module.css';
import { typeWord } from './ResponderTypeIcon.tsx';

const words = messages.progress;

function Steps({ row }: { row: RecordOf<'responder'> }) {
  const times = { created: row.created_at, ...stepTimes(row) };
  return (
    <dl className={classes.steps} aria-label={words.label}>
      {(['created', ...PROGRESS_STEPS] as const).map((step) => {
        const at = times[step];
        return (
          <div key={step} style={{ display: 'contents' }}>
            <dt>{words[step]}</dt>
            <dd>{at === null ? words.notYet : <time dateTime={at}>{formatInstant(Date.parse(at))}</time>}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function stepTimes({ acknowledged, resolved, closed }: RecordOf<'responder'>) {
  return { acknowledged, resolved, closed };
}

/** What was sent along, as far as it is text. */
function Sent({ properties }: { properties: unknown }) {
  const entries = Object.entries(properties ?? {}).filter(
    ([name, value]) =>
      !['responderType', 'person'].includes(name) && typeof value === 'string' && value !== '',
  );
  if (entries.length === 0) return null;
  return (
    <ul className={classes.sent}>
      {entries.map(([name, value]) => (
        <li key={name}>
          <strong>{fieldWord(name)}:</strong> {String(value)}
        </li>
      ))}
    </ul>
  );
}

interface ProgressCardProps {
  found: LiveRow<RecordOf<'responder'>>;
  name: string;
  /** Null for who may not tell. */
  onStep: ((step: ProgressStep, isSet: boolean) => void) | null;
}

/** How far a responder is (spec 3 §4), and the way to say so. */
export function ProgressCard({ found: { row }, name, onStep }: ProgressCardProps) {
  const ms = msToAcknowledge(row);
  const type = responderTypeOf(row.properties);
  const next = PROGRESS_STEPS.find((step) => row[step] === null);
  const last = PROGRESS_STEPS.findLast((step) => row[step] !== null);
  return (
    <div className={classes.card}>
      <strong>
        {name}
        {type !== null && type !== 'person' && ` · ${typeWord(type)}`}
      </strong>
      <Steps row={row} />
      <ArrivedLate row={row} className={classes.late} />
      {ms !== null && <p>{words.took(formatSpan(ms))}</p>}
      {onStep !== null && (
        <div className={classes.tell}>
          {next !== undefined && (
            <Button look="primary" onClick={() => onStep(next, true)}>
              {words.take[next]}
            </Button>
          )}
          {last !== undefined && (
            <Button look="quiet" onClick={() => onStep(last, false)}>
              {words.undo(words[last].toLowerCase())}
            </Button>
          )}
        </div>
      )}
      <Sent properties={row.properties} />
    </div>
  );
}
