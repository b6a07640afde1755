/** Where components stand that name their parent themselves (parentLookup), in the tree or in another topology. */
import type { Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { addTo } from '../../../src/lib/group-by.ts';

/** A component of another topology. */
export interface ForeignParent {
  id: string;
  path: string;
}

export interface ParentSought {
  name?: string | undefined;
  namespace?: string | undefined;
  type?: string | undefined;
  externalID?: string | undefined;
}

/** Finds a component elsewhere; `own` where each that there is stands under this topology itself. */
export type FindParent = (sought: ParentSought) => Promise<ForeignParent | 'own' | null>;

/** A component whose parent is in another topology: it is no child of any here. */
export interface PlacedElsewhere {
  draft: Draft;
  parent: ForeignParent;
}

/** Deeper nesting than any tree that people look at. */
const MAX_LEVELS = 20;

interface Placed {
  draft: Draft;
  parent: Draft;
}

function* walk(parent: Draft): Generator<Placed> {
  for (const draft of parent.children) {
    yield { draft, parent };
    yield* walk(draft);
  }
}

const FIELDS = ['name', 'namespace', 'type', 'externalID'] as const;
type Field = (typeof FIELDS)[number];

const givenFields = (sought: ParentSought) => FIELDS.filter((field) => sought[field] !== undefined);

const sentence = (sought: ParentSought) =>
  givenFields(sought)
    .map((field) => `${field} ${String(sought[field])}`)
    .join(', ');

const fieldOf = (draft: Draft, field: Field) =>
  field === 'externalID' ? (draft.externalId ?? draft.name) : draft[field];

/** Finds all that a component may mean, in their order: one pass for each set of fields, not for each component. */
function createIndex(all: readonly Draft[]): (sought: ParentSought) => readonly Draft[] {
  const indexes = new Map<string, Map<string, Draft[]>>();
  return (sought) => {
    const fields = givenFields(sought);
    const shape = fields.join();
    let index = indexes.get(shape);
    if (index === undefined) {
      index = new Map();
      for (const draft of all) {
        const key = JSON.stringify(fields.map((field) => fieldOf(draft, field)));
        addTo(index, key, draft);
      }
      indexes.set(shape, index);
    }
    return index.get(JSON.stringify(fields.map((field) => sought[field]))) ?? [];
  };
}

const heightOf = (draft: Draft): number =>
  1 + draft.children.reduce((height, child) => Math.max(height, heightOf(child)), 0);

/** A foreign parent's level: its path names those above it. */
const levelsAbove = ({ path }: ForeignParent) => (path === '' ? 1 : path.split('.').length + 1);

/** Where everything stands while it is moved; levels are counted from the top, also from one of another topology. */
class Places {
  private readonly parentOf = new Map<Draft, Draft>();
  private readonly foreignOf = new Map<Draft, ForeignParent>();

  constructor(root: Draft) {
    for (const { draft, parent } of walk(root)) this.parentOf.set(draft, parent);
  }

  drafts(): Draft[] {
    return [...this.parentOf.keys()];
  }

  elsewhere(): PlacedElsewhere[] {
    return [...this.foreignOf].map(([draft, parent]) => ({ draft, parent }));
  }

  isUnder(draft: Draft, above: Draft): boolean {
    for (let at: Draft | undefined = draft; at !== undefined; at = this.parentOf.get(at))
      if (at === above) return true;
    return false;
  }

  /** Whether all of it fits under a component at that level. */
  fitsUnder(draft: Draft, level: number): boolean {
    return level + heightOf(draft) <= MAX_LEVELS;
  }

  levelOf(draft: Draft): number {
    let level = 0;
    for (let at: Draft | undefined = draft; at !== undefined; at = this.parentOf.get(at)) {
      level += 1;
      const foreign = this.foreignOf.get(at);
      if (foreign !== undefined) level += levelsAbove(foreign);
    }
    return level;
  }

  move(draft: Draft, to: Draft): void {
    this.take(draft);
    to.children.push(draft);
    this.parentOf.set(draft, to);
  }

  moveElsewhere(draft: Draft, parent: ForeignParent): void {
    this.take(draft);
    this.foreignOf.set(draft, parent);
  }

  private take(draft: Draft): void {
    const siblings = this.parentOf.get(draft)?.children;
    siblings?.splice(siblings.indexOf(draft), 1);
    this.parentOf.delete(draft);
  }
}

/** Moves them; answers those whose parent is in another topology, which are in the tree no more. */
export async function placeByParent(
  root: Draft,
  find: FindParent,
  problems: Problems,
): Promise<PlacedElsewhere[]> {
  const places = new Places(root);
  const drafts = places.drafts();
  const candidates = createIndex([root, ...drafts]);
  for (const draft of drafts) {
    const { parentLookup: sought } = draft;
    if (sought === null || sought === undefined || sentence(sought) === '') continue;
    const stays = (why: string) => problems.tell(`"${draft.name}" stays in its place: ${why}`);
    const tooDeep = () => stays(`under ${sentence(sought)} it would be deeper than ${MAX_LEVELS} levels`);
    const found = candidates(sought).find((one) => !places.isUnder(one, draft));
    if (found !== undefined) {
      if (places.fitsUnder(draft, places.levelOf(found))) places.move(draft, found);
      else tooDeep();
      continue;
    }
    const foreign = await find(sought);
    if (foreign === null) stays(`no parent with ${sentence(sought)} is found`);
    else if (foreign === 'own') stays(`the parent with ${sentence(sought)} is under this topology itself`);
    else if (places.fitsUnder(draft, levelsAbove(foreign))) places.moveElsewhere(draft, foreign);
    else tooDeep();
  }
  return places.elsewhere();
}
