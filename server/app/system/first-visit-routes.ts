/** What a first visit paints before the device has anything (src/contract/http/first-visit.ts). */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  SERVED_QUERIES,
  FIRST_VISIT_PATH,
  type FirstVisit,
  type ServedQuestion,
} from '../../../src/contract/http/first-visit.ts';
import type { FirstWindow } from '../../../src/contract/first-window.ts';
import { whoamiSchema } from '../../../src/contract/http/identity/identity.ts';
import { propertiesSchema } from '../../../src/contract/http/shell.ts';
import { parseArgs } from '../../../src/contract/queries/parse-args.ts';
import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { CONTRACT_STAMP } from '../../../src/contract/version.ts';
import { presentWhoami } from '../../access/identity/routes/whoami-presenter.ts';
import type { Principal } from '../../access/identity/sessions/principal.ts';
import { FirstHealth } from '../../health/first-health.ts';
import { FirstIncidents } from '../../incidents/first-incidents.ts';
import { parse } from '../../platform/http/parse.ts';
import { allProperties } from '../../properties/all-properties.ts';
import { readableCollections } from '../../replication/change-log/collections.ts';
import type { Database } from '../../platform/db/database.ts';
import type { RouteContext } from '../../access/request/route-context.ts';

const json = z
  .string()
  .max(20_000)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'not JSON' });
      return z.NEVER;
    }
  });
const visitQuery = z
  .object({ name: z.enum(SERVED_QUERIES).optional(), args: json.optional() })
  .refine(({ name, args }) => (name === undefined) === (args === undefined), 'name and args belong together');

interface VisitContext extends RouteContext<{ db: Database }> {
  settings: { isChecksOnly: boolean };
  hasClusters: () => Promise<boolean>;
  localProperties: ReadonlyMap<string, string>;
  hostname: string;
}

/** A window, and when it was worked out, ms since 1970. */
interface Found {
  nowMs: number;
  window: FirstWindow<unknown>;
}

/** Registers it where this server has the data itself. */
export function registerFirstVisitRoutes(app: FastifyInstance, context: VisitContext): void {
  const { platform, settings, hostname, localProperties } = context;
  const health = new FirstHealth(() => platform.now());
  const incidents = new FirstIncidents(() => platform.now());

  /** Null where the reader may not read what it is of. */
  const windowFor = async (reader: Principal, { name, args }: ServedQuestion): Promise<Found | null> => {
    const { db } = context.backend();
    const readable = readableCollections(reader.roles, settings);
    if (name === 'live-health') {
      const asked = parseArgs(LIVE_QUERIES[name].args, args);
      return readable.includes('checks') ? health.window(db, asked) : null;
    }
    const asked = parseArgs(LIVE_QUERIES[name].args, args);
    const window = readable.includes('incidents') ? await incidents.window(db, asked) : null;
    return window === null ? null : { nowMs: platform.now(), window };
  };

  app.get(FIRST_VISIT_PATH, async (request): Promise<FirstVisit> => {
    const reader = await context.authenticate(request);
    const { name, args } = parse(visitQuery, request.query);
    const [properties, found, hasClusterProxy] = await Promise.all([
      allProperties(context.callerDatabase(request), localProperties),
      name === undefined ? null : windowFor(reader, { name, args }),
      context.hasClusters(),
    ]);
    const { user, roles } = whoamiSchema.parse(presentWhoami(reader, { hostname, properties: null })).payload;
    return {
      contract: CONTRACT_STAMP,
      serverMs: found?.nowMs ?? platform.now(),
      user: { ...user, roles },
      shell: {
        properties: propertiesSchema.parse(properties),
        isChecksOnly: settings.isChecksOnly,
        hasClusterProxy,
      },
      window: found?.window ?? null,
    };
  });
}
