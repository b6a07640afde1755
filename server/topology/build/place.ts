/** Where components stand that name their parent themselves (parentLookup), in the tree or in another topology. */
import type { Draft } from './draft.ts';
import type { Problems } from './problems.ts';

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

/** Finds a component elsewhere. */
export type FindParent = (sought: ParentSought) => Promise<ForeignParent | null>;

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

function isSought(draft: Draft, { name, namespace, type, externalID }: ParentSought): boolean {
  return (
    (name === undefined || draft.name === name) &&
    (namespace === undefined || draft.namespace === namespace) &&
    (type === undefined || draft.type === type) &&
    (externalID === undefined || (draft.externalId ?? draft.name) === externalID)
  );
}

const sentence = (sought: ParentSought) =>
  Object.entries(sought)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(', ');

/** Moves them; answers those whose parent is in another topology. */
export async function placeByParent(
  root: Draft,
  find: FindParent,
  problems: Problems,
): Promise<Map<Draft, ForeignParent>> {
  const parentOf = new Map([...walk(root)].map(({ draft, parent }) => [draft, parent]));
  const all = [root, ...parentOf.keys()];
  const elsewhere = new Map<Draft, ForeignParent>();
  const isUnder = (draft: Draft, above: Draft): boolean => {
    for (let at: Draft | undefined = draft; at !== undefined; at = parentOf.get(at))
      if (at === above) return true;
    return false;
  };
  for (const [draft, parent] of parentOf) {
    const { parentLookup: sought } = draft;
    if (sought === null || sought === undefined || sentence(sought) === '') continue;
    const found = all.find((one) => one !== draft && isSought(one, sought) && !isUnder(one, draft));
    if (found !== undefined) {
      parent.children.splice(parent.children.indexOf(draft), 1);
      found.children.push(draft);
      parentOf.set(draft, found);
      continue;
    }
    const foreign = await find(sought);
    if (foreign !== null) elsewhere.set(draft, foreign);
    else problems.tell(`"${draft.name}" stays in its place: no parent with ${sentence(sought)} is found`);
  }
  return elsewhere;
}
