/** Incidents that have the component for evidence; open ones of any type unless others are asked for (spec 2 §2). */
import { useState } from 'react';
import { useIncidentsWith } from '../../../data/queries/incidents/use-incidents-with.ts';
import { sentenceCase } from '../../../lib/sentence-case.ts';
import { INCIDENT_STATUSES, INCIDENT_TYPES } from '../../../domain/incident/incident.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { Age } from '../../../ui/marks/Age.tsx';
import classes from './component.module.css';
import { messages } from './messages.ts';
import { PanelRows } from './PanelRows.tsx';
import { isOneOf, usePanelRows } from './use-panel-rows.ts';

const ALL = 'all';
const wordOf = (word: string | null) => sentenceCase(word ?? '');
const words = messages.incidentFilters;
const optionsOf = (values: readonly string[]) => [
  { value: ALL, label: messages.all },
  ...values.map((value) => ({ value, label: sentenceCase(value) })),
];

/** See the head of this file. */
export function IncidentsPanel({ componentId }: { componentId: string }) {
  const [status, setStatus] = useState<string>('open');
  const [type, setType] = useState<string>(ALL);
  const { ids } = useIncidentsWith([componentId]);
  const all = usePanelRows('incidents', isOneOf('id', ids), { rows: 0 });
  const showAll = () => {
    setStatus(ALL);
    setType(ALL);
  };
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
      <PanelRows
        label={messages.panels.incidents}
        empty={
          <>
            <p className={classes.none}>{messages.empty.incidents}</p>
            {all.total > 0 && (
              <Button look="quiet" className={classes.fold ?? ''} onClick={showAll}>
                {words.showAll(all.total)}
              </Button>
            )}
          </>
        }
        collection="incidents"
        where={[
          ...isOneOf('id', ids),
          ...(status === ALL ? [] : [{ field: 'status', op: 'eq' as const, value: status }]),
          ...(type === ALL ? [] : [{ field: 'type', op: 'eq' as const, value: type }]),
        ]}
        newestBy="created_at"
        line={({ row }) => (
          <>
            <AppLink href={links.incident(row.id)} title={row.title}>
              {row.title}
            </AppLink>
            <span className={classes.end}>
              <Age at={row.created_at} />
            </span>
            <span className={classes.sub}>
              {[row.incident_id, ...[row.status, row.severity, row.type].map(wordOf)]
                .filter(Boolean)
                .join(' · ')}
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
