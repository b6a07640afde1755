import { IconAdjustmentsHorizontal, IconFilter } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { CatalogColumn, CatalogFrame } from '../../../contract/catalog-view.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { Popover } from '../../../ui/overlays/Popover.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { Switch } from '../../../ui/fields/Switch.tsx';
import { TriStateFilter } from '../../../ui/fields/TriStateFilter.tsx';
import { PHONE, useMedia } from '../../../ui/hooks/use-media.ts';
import { GroupMenu } from './GroupMenu.tsx';
import classes from './list.module.css';
import { messages } from './messages.ts';
import { activeFilters, type CatalogState } from './url-state.ts';
import { EXTRA_COLUMNS, type Habits, type UpdateCatalog } from './use-catalog-state.ts';

const words = messages.filters;
const HEALTH_WORDS = ['unhealthy', 'healthy', 'unknown', 'warning'] as const;
const SORTS: readonly CatalogColumn[] = [
  'type',
  'name',
  'health',
  'changes',
  'analysis',
  'cost_total_30d',
  'created_at',
  'updated_at',
];

interface ToolbarProps {
  frame: CatalogFrame;
  state: CatalogState;
  update: UpdateCatalog;
  habits: Habits;
  onFacets: (isOpen: boolean) => void;
}

const totalsOf = (values: CatalogFrame['types']) =>
  new Map(values.map(({ value, total }) => [value, total] as const));

const isHealthWord = (word: string): word is (typeof HEALTH_WORDS)[number] =>
  HEALTH_WORDS.some((known) => known === word);

function Filters({ frame, state, update, onFacets }: ToolbarProps) {
  const { types, statuses, facets } = frame;
  const labels = useMemo(
    () =>
      new Map(
        facets.flatMap(({ key, values }) =>
          values.map(({ value, total }) => [`${key}:${value}`, total] as const),
        ),
      ),
    [facets],
  );
  return (
    <>
      <TriStateFilter
        label={words.type}
        options={types.map(({ value }) => value)}
        totals={totalsOf(types)}
        value={state.types}
        onChange={(next) => update({ types: next })}
      />
      <TriStateFilter
        label={words.labels}
        options={[...labels.keys()]}
        totals={labels}
        value={state.labels}
        onOpen={onFacets}
        onChange={(next) => update({ labels: next })}
      />
      <TriStateFilter
        label={words.status}
        options={statuses.map(({ value }) => value)}
        totals={totalsOf(statuses)}
        value={state.status}
        onChange={(next) => update({ status: next })}
      />
      <TriStateFilter
        label={words.health}
        options={HEALTH_WORDS}
        textOf={(word) => (isHealthWord(word) ? messages.health[word] : word)}
        value={state.health}
        onChange={(next) => update({ health: next })}
      />
    </>
  );
}

function Clear({ state, update }: Pick<ToolbarProps, 'state' | 'update'>) {
  if (activeFilters(state) === 0) return null;
  return (
    <Button look="quiet" onClick={() => update({ types: {}, labels: {}, status: {}, health: {} })}>
      {words.clear}
    </Button>
  );
}

function ViewFields({ habits, state, update, hasSort }: ToolbarProps & { hasSort: boolean }) {
  return (
    <div className={classes.view}>
      <Switch label={words.hideDeleted} isOn={habits.hideDeleted} onChange={habits.setHideDeleted} />
      {!hasSort &&
        EXTRA_COLUMNS.map((column) => (
          <Switch
            key={column}
            label={messages.columns[column]}
            isOn={habits.extraColumns.includes(column)}
            onChange={() => habits.toggleColumn(column)}
          />
        ))}
      {hasSort && (
        <>
          <SelectField
            label={words.sort}
            caption="above"
            value={state.sortBy}
            options={SORTS.map((value) => ({ value, label: messages.columns[value] }))}
            onChange={(next) => update({ sortBy: SORTS.find((column) => column === next) ?? 'type' })}
          />
          <Switch
            label={words.descending}
            isOn={state.isDescending}
            onChange={(isDescending) => update({ isDescending })}
          />
        </>
      )}
    </div>
  );
}

function PhoneSheet({ onClose, ...props }: ToolbarProps & { onClose: () => void }) {
  return (
    <Sheet label={words.all} side="bottom" onClose={onClose} hasTitle>
      <div className={classes.sheet}>
        <div className={classes.sheetFilters}>
          <Filters {...props} />
          <GroupMenu {...props} />
          <Clear {...props} />
        </div>
        <ViewFields {...props} hasSort />
      </div>
    </Sheet>
  );
}

interface Box {
  seed: string;
  seedId: number;
  setText: (text: string) => void;
}

/** Search, filters, grouping, and what this device remembers of the view. */
export function CatalogToolbar({ box, ...props }: ToolbarProps & { box: Box }) {
  const isPhone = useMedia(PHONE);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const active = activeFilters(props.state);
  return (
    <>
      <SearchBox
        label={messages.search}
        placeholder={messages.search}
        clearLabel={messages.clearSearch}
        seed={box.seed}
        seedId={box.seedId}
        onChange={box.setText}
        className={classes.search ?? ''}
      />
      {isPhone ? (
        <Button
          aria-label={active > 0 ? words.active(active) : words.all}
          isPressed={active > 0}
          onClick={() => setIsSheetOpen(true)}
        >
          <IconFilter size={15} aria-hidden />
          {active > 0 && active}
        </Button>
      ) : (
        <>
          <Filters {...props} />
          <Clear {...props} />
          <span className={classes.spacer} />
          <GroupMenu {...props} />
          <Popover
            kind="dialog"
            label={words.view}
            trigger={(trigger) => (
              <Button {...trigger}>
                <IconAdjustmentsHorizontal size={15} aria-hidden />
                {words.view}
              </Button>
            )}
          >
            {() => <ViewFields {...props} hasSort={false} />}
          </Popover>
        </>
      )}
      {isSheetOpen && <PhoneSheet {...props} onClose={() => setIsSheetOpen(false)} />}
    </>
  );
}
