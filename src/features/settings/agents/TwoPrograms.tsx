/** Agents whose token two programs use: which, and what to do. */
import type { AgentRow } from '../../../contract/http/table-views.ts';
import { formatInstant } from '../../../domain/time/format.ts';
import classes from './agents.module.css';
import { messages } from './messages.ts';

const words = messages.second;
const hostOf = (host: string | null | undefined): string =>
  words.host(typeof host === 'string' && host !== '' ? host : null);

function textOf(row: AgentRow): string | null {
  if (typeof row.second_host !== 'string') return null;
  const sinceMs = Date.parse(row.second_since ?? '');
  return words.text({
    agent: row.name ?? row.id,
    first: hostOf(row.program_host),
    second: hostOf(row.second_host),
    since: Number.isNaN(sinceMs) ? '' : formatInstant(sinceMs),
  });
}

/** Nothing where each agent has a token of its own. */
export function TwoPrograms({ rows }: { rows: readonly AgentRow[] }) {
  const notes = rows.flatMap((row) => {
    const text = textOf(row);
    return text === null ? [] : [{ id: row.id, text }];
  });
  if (notes.length === 0) return null;
  return (
    <div className={classes.notes} role="status">
      {notes.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
