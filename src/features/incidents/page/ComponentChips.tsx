import { useComponent } from '../../../data/queries/topology/use-component.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { useIncident } from '../incident-context.tsx';
import { messages } from './messages.ts';
import classes from './head.module.css';
import { PAGE_ROWS } from '../page-rows.ts';
import { useRecords } from '../use-records.ts';

/** `component` is how other servers call it. */
const IS_TOPOLOGY = [{ field: 'type', op: 'in' as const, values: ['topology', 'component'] }];

/** How it is with everything under it, as its own page says. */
function Chip({ id, name }: { id: string; name: string }) {
  const { component } = useComponent(id);
  const state = component?.state ?? 'unknown';
  return (
    <li>
      <AppLink href={links.component(id)} className={classes.chip} title={messages.health(state)}>
        <HealthMark state={state} />
        {name}
        <SilencedMark kind="component" id={id} />
        <span className="visually-hidden">{messages.health(state)}</span>
      </AppLink>
    </li>
  );
}

/** Components that the incident has an evidence of, with how they are (spec 3 §2). */
export function ComponentChips() {
  const { incidentId } = useIncident();
  const evidences = useRecords(incidentId, 'evidence', { where: IS_TOPOLOGY });
  const ids = [...new Set(evidences.rows.flatMap(({ row }) => row.component_id ?? []))].toSorted();
  const { rows } = useLiveQuery({
    collection: 'components',
    where: [{ field: 'id', op: 'in', values: ids }],
    search: '',
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: ids.length === 0 ? 0 : PAGE_ROWS },
  });
  if (rows.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={messages.components}>
      {rows.map(({ id, row }) => (
        <Chip key={id} id={id} name={row.name ?? id} />
      ))}
    </ul>
  );
}
