/**
 * An outbox item in plain words: what it does, to what, and which values it carries. Arguments are read loosely:
 * an item may have been written by another version of the app, and is shown all the same.
 */
import { recordOf } from '../../lib/is-record.ts';
import { ACKNOWLEDGED_COLLECTION } from '../../contract/commands/acknowledge-commands.ts';
import { COMMAND_NAMES, type CommandName } from '../../contract/commands/all-commands.ts';
import type { OutboxItem } from '../../contract/outbox/outbox.ts';
import { ACKNOWLEDGED_KINDS } from '../../domain/notification/acknowledgement.ts';
import { plainMentions } from '../../domain/incident/mentions.ts';
import { PREPARED_RUN } from '../../domain/playbook/prepared-run.ts';
import { links } from '../../domain/links.ts';
import { messages } from './messages.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

/** What an item is about: a row whose name is looked up, and the page that shows it. */
export interface Subject {
  collection: 'incidents' | 'checks' | 'configs' | 'components';
  id: string;
  href: string;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const isCommandName = (name: string): name is CommandName =>
  (COMMAND_NAMES as readonly string[]).includes(name);

/** What the item does: `Change comment`. */
export function actionText({ name }: Pick<OutboxItem, 'name'>): string {
  if (name === PREPARED_RUN) return messages.preparedRun;
  return isCommandName(name) ? messages.commands[name] : messages.unknownCommand(name);
}

/** What the item is about; null when it names nothing that has a page. */
export function subjectOf({ args }: Pick<OutboxItem, 'args'>): Subject | null {
  const { checkId, incidentId, id, kind, resourceId } = recordOf(args);
  const about = ACKNOWLEDGED_KINDS.find((one) => one === kind);
  const resource = textOf(resourceId);
  if (about !== undefined && resource !== null)
    return { collection: ACKNOWLEDGED_COLLECTION[about], id: resource, href: links[about](resource) };
  const check = textOf(checkId);
  if (check !== null) return { collection: 'checks', id: check, href: links.check(check) };
  const incident = textOf(incidentId) ?? textOf(id);
  return incident === null ? null : { collection: 'incidents', id: incident, href: links.incident(incident) };
}

/** Arguments as the columns that they become; what only says which row is left out. */
const COLUMN_OF = lookupTable<string>({
  commanderId: 'commander_id',
  communicatorId: 'communicator_id',
  personId: 'person_id',
  teamId: 'team_id',
  to: 'status',
});
const SHOWN = new Set(Object.keys(messages.fields));

export interface WrittenField {
  /** Column of the row. */
  field: string;
  value: unknown;
}

/** The values that the user wrote, by column. */
export function writtenFields({ args }: Pick<OutboxItem, 'args'>): WrittenField[] {
  const { changes, ...rest } = recordOf(args);
  return Object.entries({ ...rest, ...recordOf(changes) }).flatMap(([name, value]) => {
    const field = COLUMN_OF[name] ?? name;
    const isEmpty = changes === undefined && (value === null || value === '' || value === false);
    return SHOWN.has(field) && !isEmpty ? [{ field, value }] : [];
  });
}

/** The server's value of a column where a precondition failed; undefined where it wasn't told. */
export function currentValue({ state }: Pick<OutboxItem, 'state'>, field: string): unknown {
  return state.kind === 'refused' ? state.current?.[field] : undefined;
}

/** A column's name for people. */
export function fieldText(field: string): string {
  return messages.fields[field] ?? field;
}

/** A value for people; null is said, not left blank. */
export function valueText(value: unknown): string {
  if (value === null || value === '') return messages.nothing;
  if (value === undefined) return messages.unknownValue;
  if (typeof value === 'boolean') return messages.flags[value ? 'true' : 'false'];
  return typeof value === 'string' ? plainMentions(value) : JSON.stringify(value);
}

/** What the user wrote, to be pasted elsewhere: a lone text as it is, several values with their names. */
export function writtenText(item: Pick<OutboxItem, 'args' | 'name'>): string {
  const fields = writtenFields(item);
  const [only] = fields;
  if (only === undefined) return actionText(item);
  if (fields.length === 1) return valueText(only.value);
  return fields.map(({ field, value }) => `${fieldText(field)}: ${valueText(value)}`).join('\n');
}
