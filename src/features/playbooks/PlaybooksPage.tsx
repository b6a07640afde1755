/** The playbooks as cards by category (spec 1 §2), from this device. */
import type { CollectionRow } from '../../contract/queries/live-row-schemas.ts';
import { IconBook } from '@tabler/icons-react';
import { useState } from 'react';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { NotYetNote } from '../../ui/feedback/NotYetNote.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Pager } from '../../ui/tables/Pager.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { byCategory } from './by-category.ts';
import { messages } from './messages.ts';
import classes from './playbooks.module.css';

const PAGE_ROWS = 100;

function Card({ playbook }: { playbook: CollectionRow<'playbooks'> }) {
  return (
    <li className={classes.card}>
      <h3>{playbook.title || playbook.name}</h3>
      {playbook.description !== null && <p>{playbook.description}</p>}
    </li>
  );
}

/** A page of cards at a time. */
export function PlaybooksPage() {
  const { firstLoad } = useSyncStatus();
  const [start, setStart] = useState(0);
  const answer = useLiveQuery({
    collection: 'playbooks',
    where: [],
    search: '',
    sort: [
      { field: 'category', isDescending: false },
      { field: 'title', isDescending: false },
      { field: 'name', isDescending: false },
    ],
    groupBy: null,
    window: { start, end: start + PAGE_ROWS },
  });
  if (!answer.isLoaded) return <SkeletonRows text={messages.loading} part={firstLoad} />;
  return (
    <Page title={messages.title} lead={answer.total === 0 ? undefined : messages.total(answer.total)}>
      <NotYetNote text={messages.notYet} />
      {answer.total === 0 && (
        <StateNote title={messages.empty} icon={<IconBook size={32} stroke={1.3} />}>
          <p>{messages.emptyHint}</p>
        </StateNote>
      )}
      {byCategory(answer.rows.map(({ row }) => row)).map(({ name, playbooks }) => (
        <section key={name} className={classes.category}>
          <h2>{name}</h2>
          <ul className={classes.cards}>
            {playbooks.map((playbook) => (
              <Card key={playbook.id} playbook={playbook} />
            ))}
          </ul>
        </section>
      ))}
      <Pager
        start={answer.start}
        count={answer.rows.length}
        total={answer.total}
        pageSize={PAGE_ROWS}
        onStart={setStart}
      />
    </Page>
  );
}
