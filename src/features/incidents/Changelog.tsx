import { useState } from 'react';
import { Age } from '../../ui/Age.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { useNames } from './use-names.ts';
import { PAGE_ROWS, useRecords } from './use-records.ts';
import { eventText } from './words.ts';

const words = messages.changelog;

/** What happened to the incident, newest first; written by the server. */
export function Changelog() {
  const { incidentId } = useIncident();
  const [start, setStart] = useState(0);
  const history = useRecords(incidentId, 'history', { isNewestFirst: true, start });
  const names = useNames(history.rows.map(({ row }) => row.created_by));
  if (!history.isLoaded) return <p role="status">{words.loading}</p>;
  if (history.total === 0) return <p className={classes.none}>{words.none}</p>;
  return (
    <>
      <ol className={classes.changelog}>
        {history.rows.map(({ id, row }) => {
          const by = row.created_by === null ? undefined : names.get(row.created_by);
          return (
            <li key={id}>
              <span>{eventText(row)}</span>
              <span className={classes.when}>
                {by !== undefined && `${words.by} ${by} · `}
                <Age at={row.created_at} suffix=" ago" />
              </span>
            </li>
          );
        })}
      </ol>
      <Pager
        start={history.start}
        count={history.rows.length}
        total={history.total}
        pageSize={PAGE_ROWS}
        onStart={setStart}
      />
    </>
  );
}
