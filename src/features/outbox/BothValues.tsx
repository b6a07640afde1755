import type { OutboxItem } from '../../contract/outbox/outbox.ts';
import { useLiveRow } from '../../data/queries/use-live-row.ts';
import { currentValue, fieldText, valueText, writtenFields } from './describe-item.ts';
import { messages } from './messages.ts';
import classes from './outbox.module.css';

/** A person or team by name. */
function ResourceName({ id }: { id: string }) {
  const found = useLiveRow('resources', id);
  return typeof found?.row.name === 'string' ? found.row.name : id;
}

const NAMED = new Set(['commander_id', 'communicator_id', 'person_id', 'team_id']);

function Value({ field, value }: { field: string; value: unknown }) {
  if (NAMED.has(field) && typeof value === 'string') return <ResourceName id={value} />;
  return valueText(value);
}

/** What the user wrote; of something refused, beside what the server has. */
export function BothValues({ item }: { item: OutboxItem }) {
  const fields = writtenFields(item);
  if (fields.length === 0) return null;
  const hasCurrent = item.state.kind === 'refused' && item.state.current !== null;
  return (
    <table className={classes.values}>
      <thead className={hasCurrent ? '' : 'visually-hidden'}>
        <tr>
          <th scope="col">{messages.field}</th>
          <th scope="col">{messages.mine}</th>
          {hasCurrent && <th scope="col">{messages.theirs}</th>}
        </tr>
      </thead>
      <tbody>
        {fields.map(({ field, value }) => (
          <tr key={field}>
            <th scope="row">{fieldText(field)}</th>
            <td>
              <Value field={field} value={value} />
            </td>
            {hasCurrent && (
              <td className={classes.theirs}>
                <Value field={field} value={currentValue(item, field)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
