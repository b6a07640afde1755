/** What a line of the table and a card of the phone have in common. */
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import type { LiveRow } from '../../../contract/live-query.ts';
import classes from './incidents.module.css';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';
import type { ChosenThing, PendingVerb } from '../../../ui/page/Bulk.tsx';
import type { KnownChoosing } from '../../../ui/tables/choosing/use-known-choosing.tsx';
import type { ChangeStatus } from './use-quick-status.tsx';

/** What both forms of the list are given. */
export interface ListProps {
  rows: readonly LiveRow<IncidentRow>[];
  /** How much happened in each incident that its reader hasn't seen. */
  unread: ReadonlyMap<string, number>;
  /** Null for who may only read. */
  onStatus: ChangeStatus | null;
  /** What a link to an incident takes along of the list, where both stand side by side; begins with `?` or is empty. */
  tail: string;
  /** The incident beside the list. */
  currentId: string | null;
  choosing: KnownChoosing;
  /** What was asked for many and is not done yet, by id. */
  asked: ReadonlyMap<string, PendingVerb>;
}

/** An incident as what is chosen of a list. */
export function chosenOf({
  id,
  incident_id: number,
  title,
  status,
}: Readonly<Record<'id' | 'incident_id' | 'title' | 'status', string>>): ChosenThing {
  return { id, name: number === '' ? title : `${number} ${title}`, status };
}

/** Something happened that its reader hasn't seen: a dot, and how much for who can't see it. */
export function UnreadDot({ count }: { count: number | undefined }) {
  if (count === undefined || count === 0) return null;
  const text = messages.unread(count);
  return <span role="img" aria-label={text} title={text} className={classes.unread} data-unread={count} />;
}

/** The number, or why there is none. */
export function IncidentNumber({ row }: { row: IncidentRow }) {
  if (row.incident_id !== '') return row.incident_id;
  return <span title={shared.unnumberedHint}>{shared.unnumbered}</span>;
}

/** What one line of either form shows. */
export interface LineProps {
  found: LiveRow<IncidentRow>;
  unread: number | undefined;
  onStatus: ChangeStatus | null;
  tail: string;
  isCurrent: boolean;
  /** What was asked for it with others and is not done yet. */
  asked: PendingVerb | undefined;
}
