import { z } from 'zod';
import type { ErrorFacts } from '../../../contract/errors.ts';
import type { ConnectionType } from '../../../domain/settings/connection-fields.ts';
import {
  missingFields,
  wrongNumbers,
  type ConnectionValues,
} from '../../../domain/settings/connection-row.ts';
import { messages } from './messages.ts';

/** What a connection of the type must have. */
export function connectionSchema(type: ConnectionType): z.ZodType<ConnectionValues, ConnectionValues> {
  return z.custom<ConnectionValues>().superRefine((values, context) => {
    const tell = (at: string, message: string) =>
      context.addIssue({ code: 'custom', path: at.split('.'), message });
    for (const at of missingFields(type, values)) tell(at, messages.form.required);
    for (const at of wrongNumbers(type, values)) tell(at, messages.form.number);
  });
}

/** HTTP's "not implemented". */
const UNTESTABLE = 501;

/** Why a test failed, in the words of spec 2 §8: the server's own where it says what was wrong with it. */
export function testFailure(error: ErrorFacts): string {
  if (error.status === UNTESTABLE) return messages.untestable;
  if (error.code === 'invalid' || error.code === 'forbidden' || error.code === 'network')
    return messages.errorText(error) || messages.testFailed;
  return messages.testFailed;
}
