import type { IncidentRow } from '../../../contract/collection-rows.ts';
import {
  INCIDENT_SEVERITIES,
  INCIDENT_TYPES,
  type IncidentSeverity,
  type IncidentType,
} from '../../../domain/incident/incident.ts';
import { formatSpan } from '../../../domain/time/format.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { Facts } from '../../../ui/page/Page.tsx';
import { CommitSelect } from '../../../ui/fields/CommitSelect.tsx';
import { useTicking } from '../../../ui/hooks/use-ticking.ts';
import { Description } from './Description.tsx';
import { ArrivedLate } from '../ArrivedLate.tsx';
import { useIncident } from '../incident-context.tsx';
import { messages as shared } from '../messages.ts';
import look from './details.module.css';
import { messages } from './messages.ts';
import { CreatedBy, PersonField, SeenBy } from './people-facts.tsx';
import { Responders } from '../responders/Responders.tsx';
import { SeverityMark } from '../SeverityMark.tsx';
import { optionsFor, wordFor } from '../words.ts';

const words = messages.details;
/** Spec 3 §9. */
const DETAILS_DELAY_MS = 500;

function isOneOf<Value extends string>(known: readonly Value[], text: string): text is Value {
  return (known as readonly string[]).includes(text);
}

/** A running duration is told in seconds: in parts of one it would be another at every look. */
const LEAST_MS = 1000;

/** How long it lasted, or has lasted so far. */
function Duration({ row }: { row: IncidentRow }) {
  const from = Date.parse(row.created_at);
  const end = row.closed ?? row.resolved;
  return useTicking((nowMs) =>
    formatSpan(Math.max(LEAST_MS, (end === null ? nowMs : Date.parse(end)) - from)),
  );
}

function useEdit(id: string) {
  const { send } = useIncident();
  return (changes: { type?: IncidentType; severity?: IncidentSeverity }) =>
    void send({ name: 'edit_incident', args: { id, changes } });
}

function TypeField({ row }: { row: IncidentRow }) {
  const { access } = useIncident();
  const edit = useEdit(row.id);
  if (!access.incident) return wordFor('types', row.type);
  return (
    <CommitSelect
      caption="hidden"
      label={words.type}
      value={row.type}
      delayMs={DETAILS_DELAY_MS}
      options={optionsFor('types', INCIDENT_TYPES, row.type)}
      onChosen={(type) => {
        if (isOneOf(INCIDENT_TYPES, type)) edit({ type });
      }}
    />
  );
}

function SeverityField({ row }: { row: IncidentRow }) {
  const { access } = useIncident();
  const edit = useEdit(row.id);
  if (!access.incident) return <SeverityMark severity={row.severity} />;
  return (
    <CommitSelect
      caption="hidden"
      label={words.severity}
      value={row.severity}
      delayMs={DETAILS_DELAY_MS}
      options={optionsFor('severities', INCIDENT_SEVERITIES, row.severity)}
      onChosen={(severity) => {
        if (isOneOf(INCIDENT_SEVERITIES, severity)) edit({ severity });
      }}
    />
  );
}

function Started({ row }: { row: IncidentRow }) {
  return (
    <>
      <Age at={row.created_at} suffix=" ago" /> <ArrivedLate row={row} />
    </>
  );
}

/** What the incident is, and who is on it. */
export function Details({ row }: { row: IncidentRow }) {
  const person = (field: 'commander_id' | 'communicator_id', label: string) => (
    <PersonField row={row} field={field} label={label} />
  );
  return (
    <div className={look.facts}>
      <Facts
        facts={[
          { name: words.id, value: row.incident_id === '' ? shared.unnumberedHint : row.incident_id },
          { name: words.type, value: <TypeField row={row} /> },
          { name: words.status, value: wordFor('statuses', row.status) },
          { name: words.severity, value: <SeverityField row={row} /> },
          { name: words.commander, value: person('commander_id', words.commander) },
          { name: words.communicator, value: person('communicator_id', words.communicator) },
          { name: words.started, value: <Started row={row} /> },
          { name: words.duration, value: <Duration row={row} /> },
          { name: words.createdBy, value: <CreatedBy row={row} /> },
        ]}
      />
      <Description id={row.id} value={row.description} />
      <Responders />
      <SeenBy />
    </div>
  );
}
