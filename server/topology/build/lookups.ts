/** The lookups of one run: each is run once however many components ask for the same, and there is an end to them. */
import { AppError } from '../../../src/contract/errors.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import type { Problems } from './problems.ts';

/** Of one run; what is more is left out and told. */
const MAX_LOOKUPS = 2000;
/** Scripts that read the component, or the group, that they run for can't be shared among those. */
const READS_COMPONENT = /\b(?:component|self|group)\s*[.[]|\bproperties\s*(?:\.|\[\s*['"])/;

/** Runs the checks of a specification for what they answer. */
export type LookUp = (
  spec: Record<string, unknown>,
  variables: Record<string, unknown>,
) => Promise<readonly { check: string; output: unknown; error: string | null }[]>;

/** What a lookup's checks answered; those that failed were told. */
export interface Outputs {
  outputs: unknown[];
  isWhole: boolean;
}

export interface Lookups {
  run: (spec: Record<string, unknown>, at: string, variables: Record<string, unknown>) => Promise<Outputs>;
  /** An answer came that can't be read: that is as good as none. */
  noteUnreadable: () => void;
  /** Whether any of them failed: then what was not found may still be there. */
  hasFailed: () => boolean;
}

/** For one run. */
export function createLookups(lookUp: LookUp, problems: Problems, signal: AbortSignal): Lookups {
  const known = new Map<string, Promise<Outputs>>();
  let failed = false;

  async function runNew(
    spec: Record<string, unknown>,
    at: string,
    variables: Record<string, unknown>,
  ): Promise<Outputs> {
    signal.throwIfAborted();
    try {
      if (known.size > MAX_LOOKUPS)
        throw new AppError('invalid', `is not run: a topology runs ${MAX_LOOKUPS} lookups at most`);
      const answers = await lookUp(spec, variables);
      if (answers.length === 0) throw new AppError('invalid', 'has no checks');
      for (const { check, error } of answers) if (error !== null) problems.tell(`${at}: ${check}: ${error}`);
      const isWhole = answers.every(({ error }) => error === null);
      if (!isWhole) failed = true;
      return {
        outputs: answers.filter(({ error }) => error === null).map(({ output }) => output),
        isWhole,
      };
    } catch (error) {
      if (signal.aborted) throw error;
      failed = true;
      problems.tell(`${at}: ${reasonOf(error)}`);
      return { outputs: [], isWhole: false };
    }
  }

  return {
    run(spec, at, variables) {
      const text = JSON.stringify(spec);
      const key = READS_COMPONENT.test(text) ? `${text}\n${JSON.stringify(variables)}` : text;
      const found = known.get(key) ?? runNew(spec, at, variables);
      known.set(key, found);
      return found;
    },
    noteUnreadable: () => {
      failed = true;
    },
    hasFailed: () => failed,
  };
}
