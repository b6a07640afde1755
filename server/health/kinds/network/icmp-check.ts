/** icmp: asks the system's `ping`, because a raw socket needs rights that the server shouldn't have (schema §4.1). */
import { execFile } from 'node:child_process';
import { isIPv6 } from 'node:net';
import { AppError } from '../../../../src/contract/errors.ts';
import { orAborted } from '../../../../src/lib/or-aborted.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { failed, invalid, notRun, passed } from '../../kind/check-kind.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { z } from 'zod';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, count, required } from '../../kind/spec-fields.ts';

const icmpSchema = z.strictObject({
  ...common,
  endpoint: required,
  thresholdMillis: count.optional(),
  packetLossThreshold: z.number().min(0).max(100).optional(),
  /** 0 is the usual number, as elsewhere in the product. */
  packetCount: z.number().int().min(0).max(20).optional(),
});
type IcmpSpec = z.output<typeof icmpSchema>;

const DEFAULT_PACKETS = 5;
/** Ping may take this long (schema §4.1). */
const LIMIT_SECONDS = 10;
const PACKET_GAP_SECONDS = '0.2';

interface Answer {
  output: string;
  isMissing: boolean;
}

function ping(address: string, packets: number, signal: AbortSignal): Promise<Answer> {
  const family = isIPv6(address) ? '-6' : '-4';
  const args = [
    '-n',
    '-q',
    family,
    '-c',
    String(packets),
    '-i',
    PACKET_GAP_SECONDS,
    '-w',
    String(LIMIT_SECONDS),
    address,
  ];
  return new Promise((resolve) => {
    execFile(
      'ping',
      args,
      { signal, timeout: (LIMIT_SECONDS + 2) * 1000, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } },
      (error, stdout, stderr) => {
        resolve({
          output: `${stdout}\n${stderr}`,
          isMissing: error !== null && 'code' in error && error.code === 'ENOENT',
        });
      },
    );
  });
}

/** Loss in percent and average round trip in ms, as ping sums them up; null for no summary. */
export function parsePing(
  output: string,
): { sent: number; received: number; lossPercent: number; averageMs: number | null } | null {
  const counts = /\b(\d+) packets transmitted, (\d+) (?:packets )?received/.exec(output);
  if (counts === null) return null;
  const [sent, received] = [Number(counts[1]), Number(counts[2])];
  const average = /= [\d.]+\/([\d.]+)\//.exec(output);
  return {
    sent,
    received,
    lossPercent: sent === 0 ? 100 : ((sent - received) / sent) * 100,
    averageMs: average === null ? null : Number(average[1]),
  };
}

/** Not run where the system has no `ping`. */
async function runIcmpCheck(spec: IcmpSpec, context: KindContext): Promise<KindResult> {
  try {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(LIMIT_SECONDS * 1000)]);
    const target = await orAborted(context.guard.check(spec.endpoint, null, context.trust), signal);
    const answer = await ping(
      target.addresses[0].address,
      spec.packetCount || DEFAULT_PACKETS,
      context.signal,
    );
    if (answer.isMissing) return notRun('the system of this server has no ping: install iputils-ping');
    const found = parsePing(answer.output);
    if (found === null) return failed(answer.output.trim().split('\n')[0] || 'ping gave no answer', 0);
    const durationMs = Math.round(found.averageMs ?? 0);
    const data = {
      results: {
        packetLoss: found.lossPercent,
        latency: found.averageMs,
        sent: found.sent,
        received: found.received,
      },
    };
    if (found.received === 0) return failed(`no answer to ${found.sent} packets`, durationMs, data);
    if (spec.thresholdMillis && (found.averageMs ?? 0) > spec.thresholdMillis)
      return failed(
        `average round trip ${found.averageMs} ms, allowed are ${spec.thresholdMillis} ms`,
        durationMs,
        data,
      );
    if (spec.packetLossThreshold && found.lossPercent > spec.packetLossThreshold)
      return failed(
        `${found.lossPercent.toFixed(0)} % of packets lost, allowed are ${spec.packetLossThreshold} %`,
        durationMs,
        data,
      );
    return passed(durationMs, data);
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return notRun(error.message);
    if (error instanceof AppError && error.code === 'invalid') return invalid(error.message);
    return failed(reasonOf(error), 0);
  }
}

/** Echo requests. */
export const icmpKind = registeredKind({
  key: 'icmp',
  title: 'Ping',
  needs: "the system's ping",
  testedAgainst: 'real service',
  example: { name: 'gateway', endpoint: '10.0.0.1', packetCount: 3, packetLossThreshold: 50 },
  schema: icmpSchema,
  run: runIcmpCheck,
});
