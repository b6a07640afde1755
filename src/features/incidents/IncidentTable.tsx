import type { IncidentRow } from '../../contract/collections.ts';
import type { LiveRow } from '../../contract/live-query.ts';
import { links } from '../../domain/links.ts';
import { Age } from '../../ui/Age.tsx';
import { AppLink } from '../../ui/AppLink.tsx';
import { PendingMark } from '../../ui/PendingMark.tsx';
import { Tag } from '../../ui/Tag.tsx';
import classes from './incidents.module.css';
import { messages } from './messages.ts';
import { SeverityMark } from './SeverityMark.tsx';
import { wordFor } from './words.ts';

const COLUMNS = ['id', 'type', 'severity', 'status', 'name', 'age'] as const;

function Line({ found: { row, pending } }: { found: LiveRow<IncidentRow> }) {
  return (
    <tr className={classes.row} data-incident={row.id}>
      <td className={classes.number}>
        {row.incident_id === '' ? (
          <span title={messages.unnumberedHint}>{messages.unnumbered}</span>
        ) : (
          row.incident_id
        )}
      </td>
      <td className={classes.type}>{wordFor('types', row.type)}</td>
      <td className={classes.severityCell}>
        <SeverityMark severity={row.severity} />
      </td>
      <td className={classes.statusCell}>
        <Tag value={wordFor('statuses', row.status)} />
      </td>
      <td className={classes.name}>
        <span className={classes.nameLine}>
          <AppLink href={links.incident(row.id)} className={classes.rowLink}>
            {row.title}
          </AppLink>
          {pending !== 'none' && <PendingMark state={pending} />}
        </span>
      </td>
      <td className={classes.age}>
        <Age at={row.created_at} />
      </td>
    </tr>
  );
}

/** Incidents, one a row; the whole row follows its link. */
export function IncidentTable({ rows }: { rows: readonly LiveRow<IncidentRow>[] }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col" className={column === 'age' ? classes.age : ''}>
              {messages.columns[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((found) => (
          <Line key={found.id} found={found} />
        ))}
      </tbody>
    </table>
  );
}
