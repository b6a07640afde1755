/**
 * webhook: its results are posted in (schema §4.1): `POST /api/canary/webhook/{id}` with the token, the body for scripts to
 * judge. It is never run by itself; routes/webhook-routes.ts hands in what came.
 */
import { z } from 'zod';
import { invalid, passed } from '../../kind/check-kind.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, valueSchema } from '../../kind/spec-fields.ts';

export const webhookSchema = z.strictObject({ ...common, token: valueSchema });
const POSTED = 'posted';

/** What came, as scripts see it; `results.json` is null for a body that is no JSON. */
export interface Posted {
  content: string;
  json: unknown;
  headers: Record<string, string>;
}

/** The variables of a run that something was posted for. */
export const postedVariables = (posted: Posted): Record<string, unknown> => ({ [POSTED]: posted });

/** Checks that others report into. */
export const webhookKind = registeredKind({
  key: 'webhook',
  title: 'Webhook',
  needs: 'somebody who posts to /api/canary/webhook/<id of the check> with the token',
  testedAgainst: 'real service',
  example: {
    name: 'alerts come in',
    token: { valueFrom: { secretKeyRef: { name: 'webhook', key: 'token' } } },
    test: { expr: 'results.json.status != "firing"' },
  },
  isSingle: true,
  isPosted: true,
  schema: webhookSchema,
  run: async (_spec, context) => {
    const results = context.variables[POSTED];
    if (results === undefined)
      return invalid(
        'its results are posted to /api/canary/webhook/<id of the check>, with its token; it does not run by itself',
      );
    return passed(0, { results });
  },
});
