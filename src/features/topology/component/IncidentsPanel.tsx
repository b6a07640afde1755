/** Incidents that have the component for evidence; open ones of any type unless others are asked for (spec 2 §2). */
import { useState } from 'react';
import { INCIDENT_STATUSES, INCIDENT_TYPES } from '../../../domain/incident/incident.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Age } from '../../../ui/marks/Age.tsx';
import classes from './component.module.css';
import { messages } from './messages.ts';
import { PanelList } from './PanelList.tsx';
import { isOneOf, useIncidentIds, usePanelRows } from './use-panel-rows.ts';

const ALL = 'all';
const words = messages.incidentFilters;
const optionsOf = (values: readonly string[]) => [
  { value: ALL, label: messages.all },
  ...values.map((value) => ({ value, label: value })),
];

/** See the head of this file. */
export function IncidentsPanel({ componentId }: { componentId: string }) {
  const [status, setStatus] = useState<string>('open');
  const [type, setType] = useState<string>(ALL);
  const ids = useIncidentIds(componentId);
  const { rows, total } = usePanelRows(
    'incidents',
    [
      ...isOneOf('id', ids),
      ...(status === ALL ? [] : [{ field: 'status', op: 'eq' as const, value: status }]),
      ...(type === ALL ? [] : [{ field: 'type', op: 'eq' as const, value: type }]),
    ],
    { newestBy: 'created_at' },
  );
  return (
    <>
      <div className={classes.filters}>
        <SelectField
          label={words.status}
          caption="above"
          value={status}
          options={optionsOf(INCIDENT_STATUSES)}
          onChange={setStatus}
        />
        <SelectField
          label={words.type}
          caption="above"
          value={type}
          options={optionsOf(INCIDENT_TYPES)}
          onChange={setType}
        />
      </div>
      <PanelList
        label={messages.panels.incidents}
        rows={rows}
        total={total}
        empty={messages.empty.incidents}
        line={({ row }) => (
          <>
            <AppLink href={links.incident(row.id)} title={row.title}>
              {row.title}
            </AppLink>
            <span className={classes.end}>
              <Age at={row.created_at} />
            </span>
            <span className={classes.sub}>
              {[row.incident_id, row.status, row.severity, row.type].filter(Boolean).join(' · ')}
            </span>
          </>
        )}
      />
      <AppLink href={links.componentIncidents(componentId)} className={classes.note}>
        {messages.allIncidents}
      </AppLink>
    </>
  );
}
