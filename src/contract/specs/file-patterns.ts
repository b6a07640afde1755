/** Patterns of files in documents: the sentence of what is wrong with one stands at its field. */
import { z } from 'zod';
import { patternProblem } from '../../domain/file-pattern.ts';
import { text } from './spec-parts.ts';

/** A placeholder is filled in as letters: what it stands for matches nothing but itself. */
const PLACEHOLDER = /\$\([^()]*\)/g;

const checkPattern: z.core.CheckFn<string | number | boolean> = ({ value, issues }) => {
  const problem = patternProblem(String(value).replaceAll(PLACEHOLDER, 'x'));
  if (problem !== null) issues.push({ code: 'custom', input: value, message: problem });
};

/** One that is required. */
export const filePattern = z.string().min(1, 'is required').check(checkPattern);
/** One as it may come from YAML, also as a number. */
export const looseFilePattern = text.check(checkPattern);
/** What a script leaves for people to look at. */
export const leftFiles = z.array(z.strictObject({ path: filePattern })).optional();
