/** The variable `git` of templates (schema §7.4): the repository that an action works on, or that one before it worked on. */
import type { PlaybookAction } from '../../../src/contract/specs/playbook-spec.ts';
import { recordOf } from '../../../src/lib/is-record.ts';
import type { FinishedAction } from '../../platform/expressions/script.ts';

/** In the result of an action that worked on one. */
export const GIT = 'git';

export interface RepositoryFacts {
  /** Null where its connection says it. */
  url: string | null;
  /** Null for the default one. */
  branch: string | null;
  /** Null until the action has fetched or made it. */
  commit: string | null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Of the action that is about to begin; null where it works on none. */
export async function repositoryOf(
  { exec, gitops }: PlaybookAction,
  fill: (template: string) => Promise<string>,
): Promise<RepositoryFacts | null> {
  const given = recordOf(exec)['checkout'] ?? recordOf(gitops)['repo'];
  if (given === undefined) return null;
  const { url, branch, base } = recordOf(given);
  const filled = async (text: string) => (await fill(text)).trim() || null;
  const branchText = textOf(branch) || textOf(base);
  return { url: await filled(textOf(url)), branch: await filled(branchText), commit: null };
}

/** Of the last action that worked on one. */
export function lastRepository(actions: readonly FinishedAction[]): unknown {
  return actions.findLast(({ result }) => recordOf(result)[GIT] !== undefined)?.result[GIT] ?? null;
}
