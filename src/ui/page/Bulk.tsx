/**
 * The door from any list to doing something to many of its rows: the list says what is chosen, the app shows the bar that
 * offers what may be done with it, and what came of it. The list knows nothing of commands.
 */
import { createContext, Suspense, useContext, useState, type ComponentType, type ReactNode } from 'react';
import type { BulkKind, BulkVerb } from '../../domain/bulk/bulk-verbs.ts';
import type { ThingTable } from '../../domain/bulk/things.ts';

/** One of what is chosen. */
export interface ChosenThing {
  id: string;
  name: string;
  /** Of a check: what is changed when more than a run is asked for. */
  canaryId?: string;
  /** Of an integration: what it is. */
  table?: ThingTable;
  /** Of an incident: what its status may become depends on it. */
  status?: string;
  /** Of a user: what a change of one of them sends along. */
  person?: ChosenPerson;
}

/** What is known of a user. */
export interface ChosenPerson {
  firstName: string;
  lastName: string;
  email: string;
  role: string;
  isActive: boolean;
}

export interface BulkProps {
  /** Whose rows these are. */
  kind: BulkKind;
  chosen: readonly ChosenThing[];
  /** How many match the filter in all; null where the list shows all that there are. */
  matching: number | null;
  onAll: (() => void) | null;
  onClear: () => void;
}

/** What waits for a row, and how far it is on its way. */
export interface PendingVerb {
  verb: BulkVerb;
  state: 'kept' | 'sent';
}

export interface BulkApi {
  /** Null where nothing is changed. */
  Bar: ComponentType<BulkProps> | null;
  /** What this user may do to rows of that kind. */
  verbsFor: (kind: BulkKind) => readonly BulkVerb[];
  /** A hook: what waits in the outbox for rows of that kind. */
  usePending: (kind: BulkKind | null) => ReadonlyMap<string, PendingVerb>;
}

const NONE: ReadonlyMap<string, PendingVerb> = new Map();
const SHUT: BulkApi = { Bar: null, verbsFor: () => [], usePending: () => NONE };
const BulkContext = createContext(SHUT);

/** Given by the shell. */
export function BulkProvider({ door, children }: { door: BulkApi; children: ReactNode }) {
  return <BulkContext value={door}>{children}</BulkContext>;
}

/** Whether rows of that kind can be chosen by this user at all. */
export function useMayChoose(kind: BulkKind | null): boolean {
  const { Bar, verbsFor } = useContext(BulkContext);
  return kind !== null && Bar !== null && verbsFor(kind).length > 0;
}

/** What this user may do to rows of that kind. */
export function useBulkVerbs(kind: BulkKind): readonly BulkVerb[] {
  return useContext(BulkContext).verbsFor(kind);
}

/** What waits in the outbox for rows of that kind, by their ids. */
export function usePendingVerbs(kind: BulkKind | null): ReadonlyMap<string, PendingVerb> {
  const { usePending } = useContext(BulkContext);
  return usePending(kind);
}

/** What may be done with what is chosen, and what came of the last time. */
export function Bulk(props: BulkProps) {
  const { Bar } = useContext(BulkContext);
  // Loaded once somebody chose something; then it stays, to tell what came of it.
  const [isNeeded, setIsNeeded] = useState(false);
  if (!isNeeded && props.chosen.length > 0) setIsNeeded(true);
  return Bar === null || !isNeeded ? null : (
    <Suspense fallback={null}>
      <Bar {...props} />
    </Suspense>
  );
}
