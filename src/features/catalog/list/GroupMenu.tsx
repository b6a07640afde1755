import { useEffect } from 'react';
import { IconSquare, IconSquareCheck, IconStack2 } from '@tabler/icons-react';
import type { CatalogFrame } from '../../../contract/catalog-view.ts';
import { DEFAULT_GROUPS, tagGroup } from '../../../domain/catalog/grouping.ts';
import { wanted } from '../../../domain/tri-state.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { Popover } from '../../../ui/overlays/Popover.tsx';
import classes from './list.module.css';
import { messages } from './messages.ts';
import { isListed, type CatalogState } from './url-state.ts';
import type { UpdateCatalog } from './use-catalog-state.ts';

const words = messages.filters;
const PLAIN = ['config_class', 'type', 'name', 'analysis', 'changed'];

interface GroupMenuProps {
  frame: Pick<CatalogFrame, 'tagKeys'>;
  state: CatalogState;
  update: UpdateCatalog;
  /** Told while the menu is open: tags are looked up only then. */
  onFacets: (isOpen: boolean) => void;
}

function chosenGroups(state: CatalogState): readonly string[] {
  return state.groups ?? (isListed(state) ? [] : DEFAULT_GROUPS);
}

function Options({ frame, state, update, onFacets }: GroupMenuProps) {
  useEffect(() => {
    onFacets(true);
    return () => onFacets(false);
  }, [onFacets]);
  const hasType = wanted(state.types).length > 0;
  const chosen = chosenGroups(state);
  const options = [
    ...PLAIN.filter((by) => !hasType || (by !== 'type' && by !== 'config_class')),
    ...frame.tagKeys.map(tagGroup),
  ];
  const set = (groups: readonly string[] | null) => update({ groups });
  const toggle = (by: string) =>
    set(chosen.includes(by) ? chosen.filter((other) => other !== by) : [...chosen, by]);
  return (
    <div className={classes.groups}>
      <p className={classes.note}>{words.groupNote}</p>
      <ul>
        {options.map((by) => {
          const at = chosen.indexOf(by);
          const Mark = at < 0 ? IconSquare : IconSquareCheck;
          return (
            <li key={by}>
              <button
                type="button"
                aria-pressed={at >= 0}
                className={classes.group}
                onClick={() => toggle(by)}
              >
                <Mark size={15} aria-hidden />
                {by.startsWith('tag:') ? words.tag(messages.groupName(by)) : messages.groupName(by)}
                <span className={classes.place}>{at < 0 ? '' : at + 1}</span>
              </button>
            </li>
          );
        })}
      </ul>
      <div className={classes.groupActions}>
        <Button look="quiet" onClick={() => set([])}>
          {words.noGroups}
        </Button>
        <Button look="quiet" onClick={() => set(null)}>
          {words.byDefault}
        </Button>
      </div>
    </div>
  );
}

/** What items are grouped by; the order in which keys are chosen is the order of nesting. */
export function GroupMenu(props: GroupMenuProps) {
  const { state } = props;
  const chosen = chosenGroups(state);
  return (
    <Popover
      kind="dialog"
      label={words.groupBy}
      trigger={(trigger) => (
        <Button {...trigger} isPressed={state.groups !== null}>
          <IconStack2 size={15} aria-hidden />
          {words.groupBy}
          {chosen.length > 0 && (
            <span className={classes.chosen}>{chosen.map(messages.groupName).join(' › ')}</span>
          )}
        </Button>
      )}
    >
      {() => <Options {...props} />}
    </Popover>
  );
}
