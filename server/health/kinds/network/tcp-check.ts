/** tcp: connects to `host:port` within the threshold (schema §4.1). */
import { AppError } from '../../../../src/contract/errors.ts';
import { orAborted } from '../../../../src/lib/or-aborted.ts';
import { connectOnce } from '../../../platform/egress/connect-once.ts';
import { startStopwatch } from '../../kind/stopwatch.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import {
  DEFAULT_TIMEOUT_MS,
  MAX_TIMEOUT_MS,
  failed,
  invalid,
  notRun,
  passed,
  splitHostPort,
} from '../../kind/check-kind.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { z } from 'zod';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, count, required } from '../../kind/spec-fields.ts';

const HOST_AND_PORT = /^(?:tcp:\/\/)?(\[[^\]]+\]|[^\s:/]+):\d{1,5}$/;
const tcpSchema = z.strictObject({
  ...common,
  endpoint: required.refine(
    (value) => value === '' || HOST_AND_PORT.test(value),
    'must be host:port, such as db.example.com:5432',
  ),
  thresholdMillis: count.optional(),
});
type TcpSpec = z.output<typeof tcpSchema>;

/** Connects and closes; nothing is sent. */
async function runTcpCheck(spec: TcpSpec, context: KindContext): Promise<KindResult> {
  const place = splitHostPort(spec.endpoint);
  if (place === null) return invalid(`endpoint "${spec.endpoint}" is not host:port`);
  const limitMs = Math.min(spec.thresholdMillis || DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
  const watch = startStopwatch(context.platform);
  const timeout = watch.limit(limitMs);
  try {
    const signal = AbortSignal.any([context.signal, timeout]);
    const target = await orAborted(context.guard.check(place.host, place.port, context.trust), signal);
    watch.restart();
    await connectOnce(target.addresses[0].address, place.port, signal);
    const durationMs = watch.elapsedMs();
    return durationMs > limitMs
      ? failed(`took ${durationMs} ms, allowed are ${limitMs} ms`, durationMs)
      : passed(durationMs, { results: {} });
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return notRun(error.message);
    if (error instanceof AppError && error.code === 'invalid') return invalid(error.message);
    if (timeout.aborted) return failed(`no connection within ${limitMs} ms`, watch.elapsedMs());
    return failed(reasonOf(error), watch.elapsedMs());
  } finally {
    watch.stop();
  }
}

/** A port that takes connections. */
export const tcpKind = registeredKind({
  key: 'tcp',
  title: 'TCP port',
  needs: 'nothing',
  testedAgainst: 'real service',
  example: { name: 'database port', endpoint: 'db.example.com:5432', thresholdMillis: 500 },
  schema: tcpSchema,
  run: runTcpCheck,
});
