import { lateArrival } from '../../domain/incident/late-arrival.ts';
import { formatClock, formatInstant } from '../../domain/time/format.ts';
import { messages } from './messages.ts';

interface ArrivedLateProps {
  row: { created_at: string; written_at?: string | null | undefined };
  className?: string | undefined;
}

/** When a thing was written and when it arrived, where the one was long after the other. */
export function ArrivedLate({ row, className }: ArrivedLateProps) {
  const late = lateArrival(row);
  if (late === null) return null;
  const { writtenMs, arrivedMs } = late;
  const written = formatClock(writtenMs, arrivedMs);
  const arrived = formatClock(arrivedMs, writtenMs);
  return (
    <span
      className={className}
      title={messages.arrivedLate(formatInstant(writtenMs), formatInstant(arrivedMs))}
      data-arrived-late=""
    >
      {messages.arrivedLate(written, arrived)}
    </span>
  );
}
