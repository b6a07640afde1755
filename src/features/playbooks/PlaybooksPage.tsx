/** The playbooks as cards by category (spec 1 §2), from this device, with what can be done with each. */
import { IconBook, IconHistory, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { findAllRows, textOf } from '../../data/queries/find-all.ts';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { may } from '../../domain/access/matrix.ts';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { Button, buttonClass } from '../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { SearchBox } from '../../ui/fields/SearchBox.tsx';
import { useSearchText } from '../../ui/hooks/use-search-text.ts';
import { PendingVerbMark } from '../../ui/marks/PendingVerbMark.tsx';
import { usePendingVerbs } from '../../ui/page/Bulk.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { useSearchState } from '../../ui/search/use-search-state.ts';
import { messages as ui } from '../../ui/messages.ts';
import { ChooseBox } from '../../ui/tables/choosing/ChooseBox.tsx';
import { Pager } from '../../ui/tables/Pager.tsx';
import { useChoosing } from '../../ui/tables/choosing/use-choosing.tsx';
import { byCategory } from './by-category.ts';
import { EditPlaybook } from './list/EditPlaybook.tsx';
import { PlaybookCard } from './list/PlaybookCard.tsx';
import { messages } from './messages.ts';
import { playbookTitle } from './playbook-title.ts';
import classes from './playbooks.module.css';
import { playbooksSearch } from './search-schemas.ts';

const PAGE_ROWS = 100;

interface Reader {
  id: string;
  roles: readonly string[];
}

function Nothing({ isSearched }: { isSearched: boolean }) {
  return (
    <StateNote
      title={isSearched ? messages.noMatch : messages.empty}
      icon={<IconBook size={32} stroke={1.3} />}
      role="status"
    >
      <p>{isSearched ? messages.noMatchHint : messages.emptyHint}</p>
    </StateNote>
  );
}

interface HeadProps {
  mayWrite: boolean;
  field: ReturnType<typeof useSearchText>;
  onSearch: (text: string) => void;
  onAdd: () => void;
}

function Head({ mayWrite, field, onSearch, onAdd }: HeadProps) {
  return (
    <div className={classes.bar}>
      <SearchBox
        label={messages.search}
        placeholder={messages.searchPlaceholder}
        clearLabel={messages.clearSearch}
        seed={field.seed}
        seedId={field.seedId}
        onChange={onSearch}
        className={classes.search ?? ''}
      />
      <span className={classes.tools}>
        <AppLink href={links.playbookRuns()} className={buttonClass('outline')}>
          <IconHistory size={15} aria-hidden />
          {messages.allRuns}
        </AppLink>
        {mayWrite && (
          <Button look="primary" onClick={onAdd}>
            <IconPlus size={16} aria-hidden />
            {messages.add}
          </Button>
        )}
      </span>
    </div>
  );
}

function usePlaybookPage(search: string, start: number) {
  const question = {
    collection: 'playbooks' as const,
    where: [],
    search,
    sort: [
      { field: 'category', isDescending: false },
      { field: 'title', isDescending: false },
      { field: 'name', isDescending: false },
    ],
    groupBy: null,
  };
  const answer = useLiveQuery({ ...question, window: { start, end: start + PAGE_ROWS } });
  const findAll = async () => {
    const found = await findAllRows(question, ['title', 'name']);
    return found?.map((row) => ({ id: row.id, name: textOf(row, 'title') || textOf(row, 'name') })) ?? null;
  };
  return { ...answer, findAll };
}

interface CardsProps {
  search: string;
  mayWrite: boolean;
  onEdit: (playbookId: string) => void;
}

/** What the search finds, a page of cards at a time. */
function Cards({ search, mayWrite, onEdit }: CardsProps) {
  const { firstLoad } = useSyncStatus();
  const [paged, setPaged] = useState({ search, start: 0 });
  // Another search begins at its first page.
  const start = paged.search === search ? paged.start : 0;
  const answer = usePlaybookPage(search, start);
  const { rows } = answer;
  const groups = useMemo(() => byCategory(rows.map(({ row }) => row)), [rows]);
  // In the order in which the cards stand, for ranges.
  const shown = useMemo(() => groups.flatMap(({ playbooks }) => playbooks), [groups]);
  const isPage = answer.total > rows.length;
  const { choosing, bar } = useChoosing({
    kind: 'playbooks',
    rows: shown,
    nameOf: playbookTitle,
    isPage,
    all: { count: answer.total, find: answer.findAll },
  });
  const asked = usePendingVerbs('playbooks');
  const boxOf = (id: string, title: string) => {
    const pending = asked.get(id);
    return (
      choosing && (
        <>
          <ChooseBox
            label={ui.choose(title)}
            state={choosing.selection.isChosen(id) ? 'all' : 'none'}
            onPress={(isRange) =>
              choosing.selection.choose(id, isRange ? shown.map((playbook) => playbook.id) : null)
            }
          />
          {pending !== undefined && <PendingVerbMark pending={pending} />}
        </>
      )
    );
  };
  if (!answer.isLoaded) return <SkeletonRows text={messages.loading} part={firstLoad} />;
  const cards = (
    <>
      <p role="status" className={classes.total}>
        {messages.total(answer.total)}
      </p>
      {groups.map(({ name, playbooks }) => (
        <section key={name} className={classes.category} aria-label={name}>
          <h2>{name}</h2>
          <ul className={classes.cards}>
            {playbooks.map((playbook) => (
              <PlaybookCard
                key={playbook.id}
                playbook={playbook}
                mayWrite={mayWrite}
                box={boxOf(playbook.id, playbookTitle(playbook))}
                onEdit={() => onEdit(playbook.id)}
              />
            ))}
          </ul>
        </section>
      ))}
      <Pager
        start={answer.start}
        count={answer.rows.length}
        total={answer.total}
        pageSize={PAGE_ROWS}
        onStart={(next) => setPaged({ search, start: next })}
      />
    </>
  );
  return (
    <>
      {answer.total === 0 ? <Nothing isSearched={search !== ''} /> : cards}
      {/* Stays where all that was chosen is gone: it takes that back. */}
      <div className={classes.chosen}>{bar}</div>
    </>
  );
}

/** See the head of this file. */
export function PlaybooksPage({ reader }: { reader: Reader }) {
  const [{ search = '', add }, change] = useSearchState(playbooksSearch);
  const mayWrite = may(reader.roles, 'playbooks', 'write');
  const [edited, setEdited] = useState<string | null | undefined>(
    add === true && mayWrite ? null : undefined,
  );
  const field = useSearchText(search, (text) => change({ search: text === '' ? undefined : text }));
  return (
    <Page title={messages.title}>
      <Head mayWrite={mayWrite} field={field} onSearch={field.setText} onAdd={() => setEdited(null)} />
      <Cards search={field.text} mayWrite={mayWrite} onEdit={setEdited} />
      {edited !== undefined && (
        <EditPlaybook playbookId={edited} userId={reader.id} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  );
}
