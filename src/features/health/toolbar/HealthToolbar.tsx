import { IconAdjustmentsHorizontal, IconFilter } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { memo, useState } from 'react';
import type { HealthFrame, SortColumn } from '../../../contract/worker.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { Popover } from '../../../ui/overlays/Popover.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { Switch } from '../../../ui/fields/Switch.tsx';
import { PHONE, ROOMY, useMedia, WIDE } from '../../../ui/hooks/use-media.ts';
import { ArrangeFields, PivotFields } from './ArrangeFields.tsx';
import { FilterPanel } from './FilterPanel.tsx';
import type { RefreshControl } from '../HealthHeader.tsx';
import { RangeField, ViewFields } from '../HealthHeader.tsx';
import { messages } from '../messages.ts';
import classes from '../page.module.css';
import type { HealthSearch, HealthUrlState } from '../url-state.ts';
import { healthSearch } from '../url-state.ts';
import { activeFilters } from '../use-health-state.ts';

interface ToolbarProps {
  /** Of the frame, one by one: it is another object with each answer. */
  facets: HealthFrame['facets'];
  hiddenPassing: number;
  isLoaded: boolean;
  state: HealthUrlState;
  refresh: RefreshControl;
  search: { seed: string; seedId: number; onChange: (text: string) => void; ref: Ref<HTMLInputElement> };
  /** Where there is no phone's header for it. */
  choose: ReactNode;
  onChange: (change: HealthSearch) => void;
}

const SORTS: readonly SortColumn[] = ['name', 'health', 'uptime', 'latency', 'transition'];

/** Sorting where there are no column headers to press. */
function SortFields({ state, onChange }: Pick<ToolbarProps, 'state' | 'onChange'>) {
  return (
    <>
      <SelectField
        label={messages.sort}
        caption="above"
        value={state.sortBy}
        options={SORTS.map((value) => ({ value, label: messages.columns[value] }))}
        onChange={(sortBy) => onChange(healthSearch.parse({ sortBy }))}
      />
      <Switch
        label={messages.descending}
        isOn={state.sortDesc}
        onChange={(sortDesc) => onChange({ sortDesc })}
      />
    </>
  );
}

function FilterSheet(props: ToolbarProps & { isPhone: boolean; onClose: () => void }) {
  const { facets, hiddenPassing, isLoaded, state, refresh, onChange, isPhone, onClose } = props;
  return (
    <Sheet label={messages.filters} side={isPhone ? 'bottom' : 'left'} onClose={onClose} hasTitle>
      <div className={classes.panelBody}>
        {isPhone && (
          <div className={classes.sheetFields}>
            <ArrangeFields state={state} facets={facets} onChange={onChange} caption="above" />
            <RangeField state={state} onChange={onChange} caption="above" />
            <SortFields state={state} onChange={onChange} />
            <ViewFields state={state} refresh={refresh} onChange={onChange} caption="above" />
          </div>
        )}
        <FilterPanel
          facets={facets}
          hiddenPassing={hiddenPassing}
          isLoaded={isLoaded}
          state={state}
          onChange={onChange}
        />
      </div>
    </Sheet>
  );
}

/** Search, filters where they have no place beside the list, and how the list is arranged. */
export const HealthToolbar = memo(function HealthToolbar(props: ToolbarProps) {
  const { facets, state, refresh, search, choose, onChange } = props;
  const isPhone = useMedia(PHONE);
  const isWide = useMedia(WIDE);
  const isRoomy = useMedia(ROOMY);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const active = activeFilters(state);
  return (
    <div className={classes.toolbar}>
      <SearchBox
        label={messages.search}
        placeholder={messages.searchPlaceholder}
        clearLabel={messages.clearSearch}
        seed={search.seed}
        seedId={search.seedId}
        onChange={search.onChange}
        hint="/"
        inputRef={search.ref}
        className={classes.search ?? ''}
      />
      {!isWide && (
        <Button
          onClick={() => setIsSheetOpen(true)}
          aria-label={active > 0 ? messages.filtersActive(active) : messages.filters}
        >
          <IconFilter size={15} aria-hidden />
          {!isPhone && messages.filters}
          {active > 0 && <span className={classes.badge}>{active}</span>}
        </Button>
      )}
      {!isPhone && (
        <>
          <span className={classes.spacer} />
          {isRoomy && <ArrangeFields state={state} facets={facets} onChange={onChange} caption="beside" />}
          <Popover
            kind="dialog"
            label={messages.view}
            trigger={(trigger) => (
              <Button {...trigger} isPressed={state.pivotBy !== 'none'}>
                <IconAdjustmentsHorizontal size={15} aria-hidden />
                {messages.view}
              </Button>
            )}
          >
            {() => (
              <div className={classes.viewPanel}>
                {!isRoomy && (
                  <>
                    <ArrangeFields state={state} facets={facets} onChange={onChange} caption="above" />
                    <ViewFields state={state} refresh={refresh} onChange={onChange} caption="above" />
                  </>
                )}
                <PivotFields state={state} facets={facets} onChange={onChange} />
                <SortFields state={state} onChange={onChange} />
              </div>
            )}
          </Popover>
          {choose}
        </>
      )}
      {isSheetOpen && <FilterSheet {...props} isPhone={isPhone} onClose={() => setIsSheetOpen(false)} />}
    </div>
  );
});
