/** Whether an expression of a rule or a silence can be read at all; what it says of a thing is found when it is asked. */
import { Environment } from '@marcbachmann/cel-js';

const environment = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });

/** Why the text is no CEL, in one line; null when it is, or is empty. */
export function celProblem(text: string): string | null {
  if (text.trim() === '') return null;
  try {
    environment.parse(text);
    return null;
  } catch (error) {
    // The library's messages go on with a picture of the source; the first line is the reason.
    return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  }
}
