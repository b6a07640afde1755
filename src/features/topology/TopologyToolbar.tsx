/** Search, filters, order and size of the cards; behind one button on a hand-held screen. */
import {
  IconAdjustmentsHorizontal,
  IconFilter,
  IconSortAscending,
  IconSortDescending,
} from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { TopologyFacets } from '../../contract/topology-view.ts';
import { Button, IconButton } from '../../ui/actions/Button.tsx';
import { SearchBox } from '../../ui/fields/SearchBox.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { Slider } from '../../ui/fields/Slider.tsx';
import { Switch } from '../../ui/fields/Switch.tsx';
import { Segmented } from '../../ui/actions/Segmented.tsx';
import { PHONE, useMedia } from '../../ui/hooks/use-media.ts';
import { Popover } from '../../ui/overlays/Popover.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { CARD_SIZE_NAMES, CARD_SIZES, WIDTH_RANGE, type CardSize } from './card-size.ts';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { STANDARD_SORTS, startsDescending } from './sort-preferences.ts';
import { TopologyFilters } from './TopologyFilters.tsx';
import { activeFilters, type TopologyState } from './url-state.ts';
import type { UpdateTopology } from './use-topology-state.ts';

export interface ToolbarProps {
  facets: TopologyFacets;
  state: TopologyState;
  update: UpdateTopology;
  width: number;
  onWidth: (width: number) => void;
  /** The filters stand beside the search. */
  hasRoom: boolean;
  /** What is shown has a size. */
  hasSizes: boolean;
}

const FIELD = 'field:';

function SortField({ facets, state, update, caption }: ToolbarProps & { caption: 'beside' | 'above' }) {
  const custom = new Set(facets.headlines.map((name) => `${FIELD}${name}`));
  // A chosen property stays on offer though nothing has it now.
  if (state.sortBy.startsWith(FIELD)) custom.add(state.sortBy);
  const Mark = state.isDescending ? IconSortDescending : IconSortAscending;
  return (
    <span className={classes.sort}>
      <SelectField
        label={messages.sort}
        caption={caption}
        value={state.sortBy}
        options={[
          ...STANDARD_SORTS.map((value) => ({ value, label: messages.sorts[value] })),
          ...[...custom].map((value) => ({
            value,
            label: value.slice(FIELD.length),
            group: messages.properties,
          })),
        ]}
        onChange={(sortBy) => update({ sortBy, isDescending: startsDescending(sortBy) })}
      />
      <IconButton
        look="outline"
        label={messages.direction(state.isDescending)}
        onClick={() => update({ isDescending: !state.isDescending })}
      >
        <Mark size={16} />
      </IconButton>
    </span>
  );
}

function sizeNamed(width: number): CardSize | '' {
  return CARD_SIZE_NAMES.find((size) => CARD_SIZES[size] === width) ?? '';
}

function Sizes({ width, onWidth }: Pick<ToolbarProps, 'width' | 'onWidth'>) {
  return (
    <>
      <div className={classes.sizes}>
        <span className={classes.caption}>{messages.size}</span>
        <Segmented<CardSize | ''>
          label={messages.size}
          value={sizeNamed(width)}
          options={CARD_SIZE_NAMES.map((value) => ({ value, label: messages.sizes[value] }))}
          onChange={(size) => {
            if (size !== '') onWidth(CARD_SIZES[size]);
          }}
        />
      </div>
      <Slider
        label={messages.width}
        {...WIDTH_RANGE}
        value={width}
        text={messages.widthText(width)}
        onChange={onWidth}
      />
    </>
  );
}

/** What stands in the menu of the view. */
function ViewFields(props: ToolbarProps) {
  const { state, update, width, onWidth, hasSizes } = props;
  return (
    <div className={classes.view}>
      <Switch
        label={messages.showHidden}
        isOn={!state.hidesHidden}
        onChange={(isShown) => update({ hidesHidden: !isShown })}
      />
      {hasSizes && <Sizes width={width} onWidth={onWidth} />}
    </div>
  );
}

function FilterSheet(props: ToolbarProps & { hasView: boolean; onClose: () => void }) {
  const isPhone = useMedia(PHONE);
  return (
    <Sheet label={messages.filters.all} side={isPhone ? 'bottom' : 'left'} hasTitle onClose={props.onClose}>
      <div className={classes.sheet}>
        <div className={classes.sheetFilters}>
          <TopologyFilters {...props} />
        </div>
        {props.hasView && (
          <>
            <SortField {...props} caption="above" />
            <ViewFields {...props} />
          </>
        )}
      </div>
    </Sheet>
  );
}

interface Box {
  seed: string;
  seedId: number;
  setText: (text: string) => void;
}

/** See the head of this file. */
export const TopologyToolbar = memo(function TopologyToolbar({ box, ...props }: ToolbarProps & { box: Box }) {
  const isPhone = useMedia(PHONE);
  const [isOpen, setIsOpen] = useState(false);
  const active = activeFilters(props.state);
  return (
    <div className={classes.toolbar}>
      <SearchBox
        label={messages.search}
        placeholder={messages.search}
        clearLabel={messages.clearSearch}
        seed={box.seed}
        seedId={box.seedId}
        onChange={box.setText}
        className={classes.search ?? ''}
      />
      {props.hasRoom ? (
        <TopologyFilters {...props} />
      ) : (
        <Button
          aria-label={active > 0 ? messages.filters.active(active) : messages.filters.all}
          isPressed={active > 0}
          onClick={() => setIsOpen(true)}
        >
          <IconFilter size={15} aria-hidden />
          {!isPhone && messages.filters.all}
          {active > 0 && <span className={classes.badge}>{active}</span>}
        </Button>
      )}
      {!isPhone && (
        <>
          <span className={classes.spacer} />
          <SortField {...props} caption="beside" />
          <Popover
            kind="dialog"
            label={messages.view}
            trigger={(trigger) => (
              <Button {...trigger}>
                <IconAdjustmentsHorizontal size={15} aria-hidden />
                {messages.view}
              </Button>
            )}
          >
            {() => <ViewFields {...props} />}
          </Popover>
        </>
      )}
      {isOpen && <FilterSheet {...props} hasView={isPhone} onClose={() => setIsOpen(false)} />}
    </div>
  );
});
