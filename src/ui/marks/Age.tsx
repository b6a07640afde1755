import { formatInstant } from '../../domain/time/format.ts';
import { messages } from '../messages.ts';
import { useAge } from '../hooks/use-ticking.ts';

/** How long ago something was, with the whole instant on hover. */
export function Age({ at, suffix = '' }: { at: string | null; suffix?: string }) {
  const atMs = at === null ? Number.NaN : Date.parse(at);
  const age = useAge(atMs);
  if (at === null || Number.isNaN(atMs)) return <span>{messages.nothing}</span>;
  return (
    <time dateTime={at} title={formatInstant(atMs)} data-frame="age">
      {age}
      {suffix}
    </time>
  );
}
