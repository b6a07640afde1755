/** How an evidence of the definition of done stands (spec 3 §2, §3; schema §8.2). */

interface Judged {
  definition_of_done: boolean;
  done: boolean | null;
  script: string | null;
  script_result: string | null;
}

export type DoneState =
  | { kind: 'done' }
  | { kind: 'not-done' }
  /** It has a script that was never run. */
  | { kind: 'unevaluated' }
  /** The script gave a text: neither yes nor no. */
  | { kind: 'text'; text: string }
  /** The script failed; what it found before still counts. */
  | { kind: 'error'; text: string; wasDone: boolean };

/** What the evaluation writes before a failure's reason. */
const ERROR = /^error:\s*/i;
const WORDS = ['true', 'false', ''];

/** True when somebody has to say that it is done: there is no script to say so. */
export function isByHand({ script }: Pick<Judged, 'script'>): boolean {
  return script === null || script.trim() === '';
}

/** The result as it is shown. What a script once found doesn't count when it was taken away. */
export function doneState(evidence: Judged): DoneState {
  const { done, script_result: result } = evidence;
  if (isByHand(evidence)) return done === true ? { kind: 'done' } : { kind: 'not-done' };
  if (result !== null && ERROR.test(result)) {
    return { kind: 'error', text: result.replace(ERROR, ''), wasDone: done === true };
  }
  if (done === true) return { kind: 'done' };
  if (result !== null && !WORDS.includes(result.trim())) return { kind: 'text', text: result };
  return done === false ? { kind: 'not-done' } : { kind: 'unevaluated' };
}
