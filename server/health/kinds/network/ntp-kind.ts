/** ntp: asks a time server (RFC 5905) and judges how far this server's clock is from it. */
import { createSocket } from 'node:dgram';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { judged } from '../../kind/guarded-socket.ts';
import type { Judged } from '../../kind/guarded-socket.ts';
import { probe } from '../../kind/probe.ts';
import type { Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, count, limits, required } from '../../kind/spec-fields.ts';
import { endpointOf } from './endpoint.ts';

const ntpSchema = z.strictObject({
  ...common,
  ...limits,
  endpoint: required,
  /** ms between the clocks. */
  maxOffsetMillis: count.optional(),
});
type NtpSpec = z.output<typeof ntpSchema>;

const PORT = 123;
const PACKET_BYTES = 48;
/** Leap unknown 0, version 4, mode 3 (client). */
const CLIENT = 0x23;
const SERVER_MODE = 4;
/** Seconds between 1900 and 1970. */
const ERA_S = 2_208_988_800;
const SECOND_MS = 1000;
const FRACTION = 2 ** 32;
const MAX_STRATUM = 15;

/** ms since 1970 of a timestamp in a packet. */
const momentAt = (packet: Buffer, at: number) =>
  (packet.readUInt32BE(at) - ERA_S) * SECOND_MS + (packet.readUInt32BE(at + 4) / FRACTION) * SECOND_MS;

function ask(at: Probe, place: Judged, request: Buffer): Promise<Buffer> {
  const socket = createSocket(place.address.includes(':') ? 'udp6' : 'udp4');
  const stop = () => socket.close();
  return new Promise<Buffer>((resolve, reject) => {
    at.signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    socket.once('error', reject);
    socket.on('message', (packet, from) => {
      // Another's packet is no answer: it has to come from there, and repeat what was sent.
      const isAnswer =
        packet.length >= PACKET_BYTES && packet.subarray(24, 32).equals(request.subarray(40, 48));
      if (isAnswer && from.port === place.port) resolve(packet);
    });
    socket.send(request, place.port, place.address, (error) => {
      if (error !== null) reject(error);
    });
  }).finally(stop);
}

function run(spec: NtpSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const { host, port } = endpointOf(spec.endpoint, PORT);
    const place = await judged(at, host, port);
    const request = Buffer.alloc(PACKET_BYTES);
    request[0] = CLIENT;
    request.write(context.platform.newId().replaceAll('-', '').slice(0, 16), 40, 'hex');
    const sentMs = context.platform.now();
    const packet = await ask(at, place, request);
    const receivedMs = context.platform.now();
    const stratum = packet[1] ?? 0;
    if (((packet[0] ?? 0) & 7) !== SERVER_MODE)
      throw new AppError('network', 'the answer is not a time server’s');
    // Half of both ways (RFC 5905, 8).
    const offsetMs = Math.round((momentAt(packet, 32) - sentMs + (momentAt(packet, 40) - receivedMs)) / 2);
    const data = { results: { offsetMs, stratum } };
    const message = `${offsetMs} ms, stratum ${stratum}`;
    if (stratum === 0 || stratum > MAX_STRATUM)
      return { data, message, error: 'the server has no time itself' };
    const allowed = spec.maxOffsetMillis ?? SECOND_MS;
    const isFar = Math.abs(offsetMs) > allowed;
    return {
      data,
      message,
      error: isFar ? `the clocks are ${offsetMs} ms apart, allowed are ${allowed} ms` : null,
    };
  });
}

/** A time server, and a clock that is right. */
export const ntpKind = registeredKind({
  key: 'ntp',
  title: 'NTP',
  needs: 'nothing',
  testedAgainst: 'stand-in',
  example: { name: 'clock', endpoint: 'time.example.com', maxOffsetMillis: 500 },
  schema: ntpSchema,
  run,
});
