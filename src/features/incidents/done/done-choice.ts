/** What was chosen for the definition of done, in whichever of the three ways. */
import type { EvidenceDraft } from '../../../domain/incident/evidence-draft.ts';
import type { RecordOf } from '../use-records.ts';

export type DoneWay = 'existing' | 'new' | 'manual';

/** Each way keeps its own, so that looking at another loses nothing. */
export interface DoneChoice {
  way: DoneWay;
  /** Evidences of the incident, by id; also those that are on no page now. */
  rows: ReadonlyMap<string, RecordOf<'evidence'>>;
  drafts: readonly EvidenceDraft[];
  text: string;
  isDone: boolean;
}

export const NO_CHOICE: DoneChoice = {
  way: 'existing',
  rows: new Map(),
  drafts: [],
  text: '',
  isDone: false,
};

/** Whether there is anything to go on with. */
export function hasChoice({ way, rows, drafts, text }: DoneChoice): boolean {
  if (way === 'existing') return rows.size > 0;
  return way === 'new' ? drafts.length > 0 : text.trim() !== '';
}

/** The types among what was chosen, each once. */
export function typesOf({ way, rows, drafts }: DoneChoice): string[] {
  if (way === 'manual') return ['comment'];
  const chosen = way === 'existing' ? [...rows.values()] : drafts;
  return [...new Set(chosen.map(({ type }) => type))];
}

/** The script that the only one of its type had before, if it had one: it is offered rather than overwritten. */
export function ownScript({ way, rows }: DoneChoice, type: string): string | null {
  if (way !== 'existing') return null;
  const [only, ...others] = [...rows.values()].filter((row) => row.type === type);
  return others.length === 0 ? (only?.script ?? null) : null;
}
