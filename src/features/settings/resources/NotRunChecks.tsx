import type { ReactNode } from 'react';
import { useTable } from '../../../data/queries/use-table.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import classes from '../settings.module.css';
import { messages } from './messages.ts';

/** Checks of a canary that the server does not run, each with the reason; nothing where all run. */
export function NotRunChecks({ canaryId }: { canaryId: string }): ReactNode {
  const { kept } = useTable({
    view: 'canary_checks',
    where: [{ op: 'eq', column: 'canary_id', value: canaryId }],
  });
  const notRun = (kept?.value.rows ?? []).flatMap((row) => {
    const { not_run_reason: reason, deleted_at: deletedAt } = row;
    return typeof reason === 'string' && (deletedAt ?? null) === null ? [{ ...row, reason }] : [];
  });
  if (notRun.length === 0) return null;
  return (
    <section className={classes.notRun} aria-label={messages.notRun}>
      <h2>{messages.notRun}</h2>
      <ul>
        {notRun.map(({ id, name, reason }) => (
          <li key={id}>
            <AppLink href={links.check(id)}>{name ?? id}</AppLink>: {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}
