/** Files that the check's commands have left, newest run first; nothing where none were kept. */
import { IconDownload } from '@tabler/icons-react';
import { useTable } from '../../../data/queries/use-table.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import classes from './drawer.module.css';
import { messages } from './messages.ts';

const SHOWN_RUNS = 5;
const KB = 1024;

const sizeText = (bytes: number | null | undefined) =>
  bytes === null || bytes === undefined ? '' : `${Math.max(1, Math.round(bytes / KB))} KB`;

/** Of the last runs that left any; the answer is cached. */
export function RunFiles({ checkId }: { checkId: string }) {
  const { kept } = useTable({
    view: 'check_files',
    where: [{ op: 'eq', column: 'check_id', value: checkId }],
    order: [{ column: 'time', isDescending: true }],
    limit: SHOWN_RUNS,
  });
  const runs = kept?.value.rows ?? [];
  if (runs.length === 0) return null;
  return (
    <section className={classes.overview} aria-label={messages.files}>
      <h3>{messages.files}</h3>
      <ul className={classes.files}>
        {runs.flatMap(({ time, artifacts }) =>
          artifacts.map(({ id, name, size }) => (
            <li key={id}>
              <a href={links.artifact(id)} download>
                <IconDownload size={14} aria-hidden /> {name}
              </a>{' '}
              {sizeText(size)} <Age at={time} suffix=" ago" />
            </li>
          )),
        )}
      </ul>
    </section>
  );
}
