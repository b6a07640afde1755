/**
 * The health dashboard (spec 1 §2). Owns what is typed and which groups are open; everything else is in the
 * link. It never waits for the network: what is on the device is shown, and said to be as old as it is.
 */
import { Suspense, useCallback, useId, useMemo, useRef } from 'react';
import type { HealthFrame, HealthRow, SortColumn, SyncStatus } from '../../contract/worker.ts';
import type { HealthViewState } from '../../data/client/health-view-client.ts';
import { useHealthView } from '../../data/queries/health/use-health-view.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { ALL_TAB } from '../../domain/check/grouping.ts';
import { BESIDE, Pane, PHONE, useMedia, WIDE } from '../../ui/hooks/use-media.ts';
import { IconPlus } from '@tabler/icons-react';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { Button, buttonClass } from '../../ui/actions/Button.tsx';
import { Bulk } from '../../ui/page/Bulk.tsx';
import { isBeingRead } from './being-read.ts';
import { useChooseChecks, type ChooseChecks } from './choose/use-choose-checks.ts';
import { FailedCanaries } from './FailedCanaries.tsx';
import { FilterPanel } from './toolbar/FilterPanel.tsx';
import { HealthAnnouncer } from './HealthAnnouncer.tsx';
import { Controls, Totals } from './HealthHeader.tsx';
import { hasNoRows, HealthStates } from './HealthStates.tsx';
import { HealthTable } from './rows/HealthTable.tsx';
import { HealthTabs } from './toolbar/HealthTabs.tsx';
import { HealthToolbar } from './toolbar/HealthToolbar.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { queryOf, startsDescending } from './health-question.ts';
import { useHealthState, type HealthPageState } from './use-health-state.ts';
import { healthSearch, type HealthSearch } from './url-state.ts';
import { useRefreshRate } from './use-refresh-rate.ts';
import { useAskedKeys } from '../../ui/hooks/use-asked-keys.ts';
import { useAskedText } from '../../ui/hooks/use-search-text.ts';
import { useSearchState } from '../../ui/search/use-search-state.ts';
import { useShortcut } from '../../ui/hooks/use-shortcut.ts';
import { lazyPart, MissingSheet, Nothing } from '../../ui/page/lazy-part.tsx';

const HealthCards = lazyPart(async () => (await import('./rows/HealthCards.tsx')).HealthCards);
const StartCard = lazyPart(async () => (await import('./start/StartCard.tsx')).StartCard, Nothing);
const CheckDrawer = lazyPart(
  async () => (await import('./drawer/CheckDrawer.tsx')).CheckDrawer,
  MissingSheet,
);

export interface HealthPageProps {
  /** Whether the user may run a check by hand. */
  mayRun: boolean;
  /** Whether the user may change canaries. */
  mayEdit: boolean;
  /** Of the reader: which first steps are offered on an empty server. */
  roles: readonly string[];
}

/** A server that only watches itself has a handful of checks; with more there is nothing to begin with. */
const FEW_CHECKS = 10;

const NO_KEYS: readonly string[] = [];

/** How the page's state is changed: the next rows are asked for before anything is drawn. */
function useChange(
  { state, update }: HealthPageState,
  shown: { readText: () => string; readExpanded: () => readonly string[]; ask: HealthViewState['ask'] },
) {
  const { readText, readExpanded, ask } = shown;
  return useCallback(
    (part: HealthSearch, isReplacing?: boolean) => {
      const next = update(part, isReplacing);
      ask(queryOf(next, readText(), next.groupBy === state.groupBy ? readExpanded() : NO_KEYS));
    },
    [state.groupBy, update, readText, readExpanded, ask],
  );
}

/** True when the whole board is old; the shell says so in words, the board by its edge. */
function isOld({ connection, freshness, asOfMs }: SyncStatus): boolean {
  const isDown = connection === 'offline' || connection === 'server-unreachable';
  return asOfMs !== null && (isDown || (freshness === 'stale' && connection !== 'connecting'));
}

/** The search field, which asks before anything is drawn; `/` leads to it. */
function useSearchField(text: ReturnType<typeof useAskedText>, ask: (text: string) => void) {
  const { seed, seedId, setText } = text;
  const ref = useRef<HTMLInputElement>(null);
  useShortcut(
    '/',
    useCallback(() => ref.current?.focus(), []),
  );
  return useMemo(() => {
    const onChange = (next: string) => {
      ask(next);
      setText(next);
    };
    return { seed, seedId, onChange, ref };
  }, [seed, seedId, setText, ask]);
}

/** Beside the totals, which push it aside as they come: it is shown with them. */
function AddCheck({ isHidden }: { isHidden: boolean }) {
  return (
    <AppLink
      href={links.addCheck()}
      className={`${buttonClass('outline')} ${isHidden ? classes.waiting : ''}`}
    >
      <IconPlus size={15} aria-hidden />
      {messages.add}
    </AppLink>
  );
}

/** The same one from one time to the next, so that what holds it need not be drawn again; nothing where no row is. */
function useChooseSwitch({ mayChoose, isChoosing, toggleMode }: ChooseChecks, mayHaveRows: boolean) {
  const isShown = mayChoose && (mayHaveRows || isChoosing);
  return useMemo(
    () =>
      isShown ? (
        <Button isPressed={isChoosing} onClick={toggleMode}>
          {messages.choose}
        </Button>
      ) : null,
    [isShown, isChoosing, toggleMode],
  );
}

/** Before the checks are read nothing is said of how many there are. */
const NO_TABS: HealthFrame['tabs'] = [];

function Start({ roles }: Pick<HealthPageProps, 'roles'>) {
  return (
    <Suspense fallback={null}>
      <StartCard roles={roles} />
    </Suspense>
  );
}

function ChecksBar({ choose }: { choose: ChooseChecks }) {
  const { chosen, matching, chooseAll, clear } = choose;
  return <Bulk kind="checks" chosen={chosen} matching={matching} onAll={chooseAll} onClear={clear} />;
}

/** Beside a check there is half of the screen for the list. */
export function HealthPage(props: HealthPageProps) {
  const [{ checkId = '' }] = useSearchState(healthSearch);
  const isBeside = useMedia(BESIDE) && checkId !== '';
  return (
    <Pane value={isBeside ? 'half' : 'whole'}>
      <Board {...props} />
    </Pane>
  );
}

function Drawer(
  props: Pick<HealthPageProps, 'mayRun' | 'mayEdit'> & { checkId: string; onClose: () => void },
) {
  if (props.checkId === '') return null;
  return (
    <Suspense fallback={null}>
      <CheckDrawer key={props.checkId} {...props} />
    </Suspense>
  );
}

/** `mayRun` and `mayEdit` are what this user's roles allow. */
function Board({ mayRun, mayEdit, roles }: HealthPageProps) {
  const page = useHealthState();
  const { state, update } = page;
  const onLink = useCallback((query: string) => void update({ query }), [update]);
  const text = useAskedText(state.query, onLink);
  const { readText } = text;
  // Another grouping starts closed.
  const { readKeys: readExpanded, toggle } = useAskedKeys(state.groupBy);
  // What is typed or opened is asked for where that is done.
  const view = useHealthView(queryOf(state, readText(), readExpanded()));
  const status = useSyncStatus();
  const refresh = useRefreshRate(state.timeRange);
  const [isWide, isPhone] = [useMedia(WIDE), useMedia(PHONE)];
  const panelId = useId();
  const { frame, ask } = view;
  const choose = useChooseChecks(queryOf(state, readText(), NO_KEYS), frame.checkCount);
  const isReading = isBeingRead(frame, status);
  const mayHaveRows = isReading || status.firstLoad !== null || !hasNoRows(frame);
  const chooseSwitch = useChooseSwitch(choose, state.layout !== 'card' && mayHaveRows);
  const change = useChange(page, { readText, readExpanded, ask });

  const askFor = useCallback(
    (next: string) => ask(queryOf(state, next, readExpanded())),
    [ask, state, readExpanded],
  );
  const searchField = useSearchField(text, askFor);
  const handleTab = useCallback((tab: string) => change({ tab }), [change]);
  const handlePress = useCallback(
    (row: HealthRow) => {
      if (row.kind === 'group') ask(queryOf(state, readText(), toggle(row.key)));
      else update({ checkId: row.check.id }, false);
    },
    [ask, state, readText, toggle, update],
  );
  const handleSort = (column: SortColumn) =>
    change({
      sortBy: column,
      sortDesc: state.sortBy === column ? !state.sortDesc : startsDescending(column),
    });
  const handleClear = () => {
    text.clear();
    ask(queryOf(update({ labels: {}, tab: ALL_TAB, query: '' }), '', readExpanded()));
  };

  const list =
    state.layout === 'card' ? (
      <Suspense fallback={null}>
        <HealthCards view={view} onPress={handlePress} />
      </Suspense>
    ) : (
      <HealthTable view={view} state={state} onSort={handleSort} onPress={handlePress} choose={choose} />
    );
  return (
    <div className={classes.page}>
      {isWide && (
        <aside className={classes.aside} aria-label={messages.filters}>
          <FilterPanel
            facets={frame.facets}
            hiddenPassing={frame.hiddenPassing}
            isLoaded={frame.isLoaded}
            state={state}
            onChange={change}
          />
        </aside>
      )}
      <section className={`${classes.main} ${isOld(status) ? classes.notCurrent : ''}`}>
        <div className={classes.header}>
          <h1>{messages.title}</h1>
          <Totals frame={frame} timeRange={state.timeRange} />
          {mayEdit && <AddCheck isHidden={isReading} />}
          {isPhone && chooseSwitch}
          {!isPhone && <Controls state={state} refresh={refresh} onChange={change} />}
        </div>
        <HealthToolbar
          facets={frame.facets}
          hiddenPassing={frame.hiddenPassing}
          isLoaded={frame.isLoaded}
          state={state}
          refresh={refresh}
          search={searchField}
          choose={chooseSwitch}
          onChange={change}
        />
        <FailedCanaries />
        {frame.isLoaded && frame.checkCount <= FEW_CHECKS && status.firstLoad === null && (
          <Start roles={roles} />
        )}
        <HealthTabs
          tabs={frame.isLoaded ? frame.tabs : NO_TABS}
          selected={state.tab}
          panelId={panelId}
          onSelect={handleTab}
        />
        <div id={panelId} role="tabpanel" aria-label={state.tab} className={classes.body}>
          {hasNoRows(frame) ? (
            <HealthStates
              frame={frame}
              status={status}
              state={state}
              isSearching={readText() !== ''}
              onChange={change}
              onClear={handleClear}
            />
          ) : (
            list
          )}
        </div>
        {choose.mayChoose && <ChecksBar choose={choose} />}
      </section>
      <HealthAnnouncer unhealthy={frame.counts.unhealthy} isLoaded={frame.isLoaded} />
      <Drawer
        checkId={state.checkId}
        mayRun={mayRun}
        mayEdit={mayEdit}
        onClose={() => void update({ checkId: '' })}
      />
    </div>
  );
}
