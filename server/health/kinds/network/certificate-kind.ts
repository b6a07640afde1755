/** certificate: how long the certificate of a TLS service is good for, whatever it speaks on top. */
import { z } from 'zod';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { judged, openTls } from '../../kind/guarded-socket.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { agreeOnTls, tlsOf } from '../../kind/service-place.ts';
import { common, limits, required, tlsSchema } from '../../kind/spec-fields.ts';
import { endpointOf } from './endpoint.ts';

const certificateSchema = z.strictObject({
  ...common,
  ...limits,
  endpoint: required,
  /** Days that have to be left. */
  minDays: z.number().min(0).optional(),
  tlsConfig: tlsSchema.optional(),
});
type CertificateSpec = z.output<typeof certificateSchema>;

const DAY_MS = 86_400_000;
const DEFAULT_PORT = 443;
const DEFAULT_DAYS = 14;

function run(spec: CertificateSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const { host, port } = endpointOf(spec.endpoint, DEFAULT_PORT);
    agreeOnTls(spec.tlsConfig?.enable, true);
    const tls = await tlsOf(spec.tlsConfig, null, context);
    const socket = await openTls(at, await judged(at, host, port), { tls });
    const found = socket.getPeerCertificate();
    const protocol = socket.getProtocol();
    socket.destroy();
    const endsMs = Date.parse(found.valid_to);
    const daysLeft = Math.floor((endsMs - context.platform.now()) / DAY_MS);
    const wanted = spec.minDays ?? DEFAULT_DAYS;
    const data = {
      results: {
        subject: found.subject.CN ?? '',
        issuer: found.issuer.CN ?? found.issuer.O ?? '',
        names: found.subjectaltname ?? '',
        validFrom: new Date(found.valid_from).toISOString(),
        validTo: new Date(endsMs).toISOString(),
        daysLeft,
        protocol,
      },
    };
    const error =
      daysLeft < wanted ? `the certificate ends in ${daysLeft} days, at least ${wanted} wanted` : null;
    return { data, error, message: `${daysLeft} days left` };
  });
}

/** A certificate that goes on being good. */
export const certificateKind = registeredKind({
  key: 'certificate',
  title: 'Certificate expiry',
  needs: 'nothing',
  testedAgainst: 'real service',
  example: { name: 'mail certificate', endpoint: 'mail.example.com:993', minDays: 14 },
  schema: certificateSchema,
  run,
});
