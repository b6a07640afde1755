/** What may be run on the item, and what was (spec 2 §2): the runs of the last seven days are on this device. */
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '../../../data/queries/use-query.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { links } from '../../../domain/links.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { RunStatus } from '../../../ui/marks/RunStatus.tsx';
import { usePlaybooks } from '../../../ui/page/Playbooks.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import classes from './item.module.css';
import { useItem } from './item-context.tsx';
import { messages } from './messages.ts';

const words = messages.playbooks;

interface RunRow {
  id: string;
  playbook_id: string;
  status: string | null;
  created_at: string | null;
  start_time: string | null;
  end_time: string | null;
}

/** Null while they are not read: a name that turns into a title would move what is about to be pressed. */
function useTitles(): ReadonlyMap<string, string> | null {
  const { rows, isLoaded } = useLiveQuery({
    collection: 'playbooks',
    where: [],
    search: '',
    sort: [{ field: 'title', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: 100 },
  });
  if (!isLoaded) return null;
  return new Map(rows.map(({ id, row }) => [id, row.title ?? row.name ?? id]));
}

interface Titled {
  item: { id: string; name: string };
  titles: ReadonlyMap<string, string>;
}

function Runnable({ item, titles }: Titled) {
  const { run } = usePlaybooks();
  const { kept, error } = useQuery('resource-playbooks', { kind: 'config', id: item.id });
  if (kept === null) {
    if (error === null) return <p role="status">{ui.loading}</p>;
    const isAway = error.code === 'network' || error.code === 'timeout';
    return <p role="alert">{isAway ? words.offline : `${words.failed}: ${messages.errorText(error)}`}</p>;
  }
  if (kept.value.length === 0) return <p className={classes.none}>{words.none}</p>;
  return (
    <>
      <ul className={`${classes.links} ${classes.runnable}`}>
        {kept.value.map(({ id, name, parameters }) => (
          <li key={id}>
            <AppLink href={links.playbook(id)}>{titles.get(id) ?? name}</AppLink>
            {parameters > 0 && <span className={classes.aside}>{words.parameters(parameters)}</span>}
            {run !== null && (
              <Button
                aria-label={words.runIt(titles.get(id) ?? name)}
                onClick={() =>
                  run({ playbookId: id, resource: { kind: 'config', id: item.id, name: item.name } })
                }
              >
                <IconPlayerPlay size={15} aria-hidden />
                {words.run}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <CacheNote {...kept} />
    </>
  );
}

function took({ start_time: start, end_time: end }: RunRow): string {
  return start === null || end === null ? ui.nothing : formatDuration(Date.parse(end) - Date.parse(start));
}

function Runs({ item, titles }: Titled) {
  const { rows, isLoaded } = useLiveQuery({
    collection: 'playbook_runs',
    where: [{ field: 'config_id', op: 'eq', value: item.id }],
    search: '',
    sort: [{ field: 'created_at', isDescending: true }],
    groupBy: null,
    window: { start: 0, end: 100 },
  });
  if (isLoaded && rows.length === 0) return <p className={classes.none}>{words.noRuns}</p>;
  return (
    <table className={classes.table} aria-label={words.table}>
      <thead>
        <tr>
          <th scope="col">{words.columns.name}</th>
          <th scope="col">{words.columns.status}</th>
          <th scope="col">{words.columns.started}</th>
          <th scope="col">{words.columns.took}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, row }) => (
          <tr key={id}>
            <td>
              <AppLink href={links.playbookRun(id)}>{titles.get(row.playbook_id) ?? row.playbook_id}</AppLink>
            </td>
            <td>
              <RunStatus status={row.status} />
            </td>
            <td>
              <Age at={row.start_time ?? row.created_at} suffix={messages.details.ago} />
            </td>
            <td className={classes.number}>{took(row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Inside an `ItemPage`. */
export function PlaybooksTab() {
  const { facts } = useItem();
  const titles = useTitles();
  const item = { id: facts.id, name: facts.name ?? facts.id };
  return (
    <div className={classes.tabBody}>
      <h2>{words.mayRun}</h2>
      {titles === null ? <p role="status">{ui.loading}</p> : <Runnable item={item} titles={titles} />}
      <h2>{words.runs}</h2>
      {titles !== null && <Runs item={item} titles={titles} />}
    </div>
  );
}
