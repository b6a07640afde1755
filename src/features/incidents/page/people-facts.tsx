/** Who made an incident, who leads it, who has seen it. */
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { links } from '../../../domain/links.ts';
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { useIncident } from '../incident-context.tsx';
import { messages } from './messages.ts';
import { ResourcePicker } from '../ResourcePicker.tsx';
import look from './details.module.css';
import { useNames } from '../use-names.ts';
import { useRecords } from '../use-records.ts';

const words = messages.details;

/** A person of the incident, and another one where the reader may choose. */
export function PersonField(props: {
  row: IncidentRow;
  field: 'commander_id' | 'communicator_id';
  label: string;
}) {
  const { row, field, label } = props;
  const { access, send } = useIncident();
  const value = row[field];
  const names = useNames([value]);
  if (!access.incident) return value === null ? words.nobody : (names.get(value) ?? words.somebody);
  return (
    <ResourcePicker
      kind="person"
      caption="hidden"
      label={label}
      value={value}
      none={words.nobody}
      onChange={(id) => void send({ name: 'edit_incident', args: { id: row.id, changes: { [field]: id } } })}
    />
  );
}

/** A person, or the rule that did it for them. */
export function CreatedBy({ row }: { row: IncidentRow }) {
  const ruleId = typeof row.incident_rule_id === 'string' ? row.incident_rule_id : null;
  const rule = useLiveRow('resources', ruleId ?? '');
  const names = useNames([row.created_by]);
  if (ruleId !== null) {
    const name = typeof rule?.row.name === 'string' ? rule.row.name : ruleId;
    return <AppLink href={links.resource('rules', ruleId)}>{words.byRule(name)}</AppLink>;
  }
  return row.created_by === null ? words.somebody : (names.get(row.created_by) ?? words.somebody);
}

/** How far others have read. */
export function SeenBy() {
  const { incidentId, userId } = useIncident();
  const reads = useRecords(incidentId, 'read', { isNewestFirst: true });
  const others = reads.rows.filter(({ row }) => row.person_id !== userId);
  const names = useNames(others.map(({ row }) => row.person_id));
  if (others.length === 0) return null;
  return (
    <section className={look.seen}>
      <h3>{words.seenBy}</h3>
      <ul>
        {others.map(({ id, row }) => (
          <li key={id}>
            <span>{names.get(row.person_id) ?? words.somebody}</span>
            <span className={look.when}>
              <Age at={row.read_at} suffix=" ago" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
