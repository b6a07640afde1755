/**
 * The groups of a health board, as a search leaves them. Which are shown is worked out of all of them; who is in one is
 * read when it is looked at: at 10,000 checks a screen shows a few groups of hundreds, and this runs at every key.
 */
import { positionsIn, type Grouping } from '../../lib/groupings.ts';
import type { Entry } from './check-index.ts';

/** What is found of a list's checks, by position in the list. */
export interface FoundChecks {
  entries: readonly Entry[];
  /** Whether it is of the tab, found or not. */
  isInTab: (at: number) => boolean;
  /** 1 for what tab, search and labels leave; groups add these up. */
  askedAt: Uint8Array;
}

/** What groups are of. */
interface GroupedChecks {
  grouping: Grouping;
  found: FoundChecks;
}

/** A group that is shown. Its members are those of the tab that search and labels leave, in the list's order. */
export class FoundGroup {
  /** In the keys of its grouping. */
  readonly place: number;
  readonly isExpanded: boolean;
  private readonly of: GroupedChecks;

  constructor(of: GroupedChecks, place: number, isExpanded: boolean) {
    this.of = of;
    this.place = place;
    this.isExpanded = isExpanded;
  }

  get key(): string {
    return this.of.grouping.keys[this.place] ?? '';
  }

  members(): Entry[] {
    const { entries, askedAt } = this.of.found;
    const members: Entry[] = [];
    for (const at of positionsIn(this.of.grouping, this.place)) {
      const entry = entries[at];
      if (askedAt[at] === 1 && entry !== undefined) members.push(entry);
    }
    return members;
  }

  /** How many checks of the tab are in it, found or not. */
  memberCount(): number {
    const { isInTab } = this.of.found;
    return positionsIn(this.of.grouping, this.place).reduce((count, at) => count + (isInTab(at) ? 1 : 0), 0);
  }
}

interface Named {
  key: string;
  lower: string;
}

function compareNames(a: Named, b: Named): number {
  if (a.lower !== b.lower) return a.lower < b.lower ? -1 : 1;
  return a.key < b.key ? -1 : 1;
}

const nameOrders = new WeakMap<Grouping, readonly number[]>();

/** The groups' places as they are shown, by name: worked out once for a grouping. */
function nameOrder(grouping: Grouping): readonly number[] {
  const known = nameOrders.get(grouping);
  if (known !== undefined) return known;
  const named = grouping.keys.map((key, place) => ({ key, lower: key.toLowerCase(), place }));
  const order = named.toSorted(compareNames).map(({ place }) => place);
  nameOrders.set(grouping, order);
  return order;
}

/** The groups in name order, but those whose every check is hidden; `hasShown` is 1 by place for the others. */
export function shownGroups(
  of: GroupedChecks,
  hasShown: Uint8Array,
  expanded: readonly string[],
): FoundGroup[] {
  const { keys } = of.grouping;
  const open = new Set(expanded);
  const shown = nameOrder(of.grouping).filter((place) => hasShown[place] === 1);
  return shown.map((place) => new FoundGroup(of, place, open.has(keys[place] ?? '')));
}
