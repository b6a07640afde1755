import type { IncidentRow } from '../../contract/collections.ts';
import {
  INCIDENT_SEVERITIES,
  INCIDENT_TYPES,
  type IncidentSeverity,
  type IncidentType,
} from '../../domain/incident/incident.ts';
import { formatAge } from '../../domain/time/format.ts';
import { Age } from '../../ui/Age.tsx';
import { Facts } from '../../ui/Page.tsx';
import { SettledSelect } from '../../ui/SettledSelect.tsx';
import { useTicking } from '../../ui/use-ticking.ts';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { Responders } from './Responders.tsx';
import { SeverityMark } from './SeverityMark.tsx';
import { useNames } from './use-names.ts';
import { optionsFor, wordFor } from './words.ts';

const words = messages.details;
/** Spec 3 §9. */
const DETAILS_DELAY_MS = 500;

function isOneOf<Value extends string>(known: readonly Value[], text: string): text is Value {
  return (known as readonly string[]).includes(text);
}

/** How long it lasted, or has lasted so far. */
function Duration({ row }: { row: IncidentRow }) {
  const from = Date.parse(row.created_at);
  const end = row.closed ?? row.resolved;
  return useTicking((nowMs) => formatAge((end === null ? nowMs : Date.parse(end)) - from));
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
    <SettledSelect
      caption="hidden"
      label={words.type}
      value={row.type}
      delayMs={DETAILS_DELAY_MS}
      options={optionsFor('types', INCIDENT_TYPES, row.type)}
      onSettle={(type) => {
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
    <SettledSelect
      caption="hidden"
      label={words.severity}
      value={row.severity}
      delayMs={DETAILS_DELAY_MS}
      options={optionsFor('severities', INCIDENT_SEVERITIES, row.severity)}
      onSettle={(severity) => {
        if (isOneOf(INCIDENT_SEVERITIES, severity)) edit({ severity });
      }}
    />
  );
}

/** What the incident is, and who is on it. */
export function Details({ row }: { row: IncidentRow }) {
  const names = useNames([row.commander_id]);
  const { commander_id: commander } = row;
  return (
    <>
      <Facts
        facts={[
          { name: words.id, value: row.incident_id === '' ? messages.unnumberedHint : row.incident_id },
          { name: words.type, value: <TypeField row={row} /> },
          { name: words.status, value: wordFor('statuses', row.status) },
          { name: words.severity, value: <SeverityField row={row} /> },
          {
            name: words.commander,
            value: commander === null ? words.nobody : (names.get(commander) ?? commander),
          },
          { name: words.started, value: <Age at={row.created_at} suffix=" ago" /> },
          { name: words.duration, value: <Duration row={row} /> },
          ...(row.description === ''
            ? []
            : [{ name: words.description, value: <span className={classes.body}>{row.description}</span> }]),
        ]}
      />
      <Responders />
    </>
  );
}
