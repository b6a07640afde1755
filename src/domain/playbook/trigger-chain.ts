/**
 * Loop protection: a run that was set off by what an earlier run did, has that one as its cause, and so on back. A
 * playbook that comes round again about the same resource is stopped. A cause is certain where the effect names its run
 * (a change that the run wrote, a call that carries its id); it is presumed where something happened to the resource of
 * a run while it ran or soon after. Of presumed ones a few are allowed: a restart that didn't help may be tried again.
 */
export interface ChainLink {
  runId: string;
  playbookId: string;
  /** `config/<id>` and its like; null for a run about nothing. */
  resource: string | null;
  /** Of the link to the one before it; false for the first. */
  isCertain: boolean;
}

/** Runs of one playbook about one resource that may presumably follow from each other. */
export const MAX_PRESUMED_TURNS = 3;
/** Longer chains are stopped whoever is in them. */
export const MAX_CHAIN = 10;
/** What happens to a resource this long after a run about it has ended counts as its effect. */
export const PRESUMED_EFFECT_MS = 10 * 60_000;

export type ChainVerdict =
  | { kind: 'run' }
  /** `runs`: from the first time of this playbook to the cause. */
  | { kind: 'circle'; runs: readonly ChainLink[] }
  | { kind: 'too-long'; runs: readonly ChainLink[] };

/** `causes`: newest first; `next`: what is to be started, and how sure it is that the newest caused it. */
export function judgeChain(causes: readonly ChainLink[], next: Omit<ChainLink, 'runId'>): ChainVerdict {
  const isSame = (link: ChainLink) => link.playbookId === next.playbookId && link.resource === next.resource;
  let isCertain = next.isCertain;
  let turns = 0;
  for (const [at, link] of causes.entries()) {
    if (isSame(link)) {
      turns += 1;
      if (isCertain || turns >= MAX_PRESUMED_TURNS)
        return { kind: 'circle', runs: causes.slice(0, at + 1).toReversed() };
    }
    // Sure only as long as every step is.
    isCertain &&= link.isCertain;
  }
  return causes.length >= MAX_CHAIN ? { kind: 'too-long', runs: causes.toReversed() } : { kind: 'run' };
}
