/** smtp: greets a mail server, goes over to TLS and signs in where that is wanted; no mail is sent. */
import { z } from 'zod';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { connectLimitMs, judged, tlsOptions } from '../../kind/guarded-socket.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { agreeOnTls, placeUrl, servicePlace, signInAt } from '../../kind/service-place.ts';
import { common, connection, limits, namesPlace, tlsSchema } from '../../kind/spec-fields.ts';

const smtpSchema = z
  .strictObject({
    ...common,
    ...connection,
    ...limits,
    startTLS: z.boolean().optional(),
    tlsConfig: tlsSchema.optional(),
  })
  .refine(namesPlace(['url', 'connection']), { path: ['url'], message: 'is required' });
type SmtpSpec = z.output<typeof smtpSchema>;

const PORT = 25;
const TLS_PORT = 465;

function run(spec: SmtpSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const { createTransport } = await import('nodemailer');
    const service = await servicePlace(spec, context);
    const url = placeUrl(service.address, ['smtp', 'smtps']);
    const secure = url.protocol === 'smtps:';
    const place = await judged(at, url.hostname, Number(url.port || (secure ? TLS_PORT : PORT)));
    agreeOnTls(service.wantsTls, secure || spec.startTLS === true);
    const handshakeMs = connectLimitMs(at, service.tls);
    const { username, password } = signInAt(url, service);
    const transport = createTransport({
      host: place.address,
      port: place.port,
      secure,
      requireTLS: spec.startTLS === true,
      ignoreTLS: spec.startTLS === false,
      tls: tlsOptions(place, service.tls),
      ...(username === '' ? {} : { auth: { user: username, pass: password } }),
      connectionTimeout: secure ? handshakeMs : at.limitMs,
      greetingTimeout: at.limitMs,
      // Its client has no limit of its own for going over to TLS.
      socketTimeout: spec.startTLS === true ? handshakeMs : at.limitMs,
    });
    const stop = () => transport.close();
    at.signal.addEventListener('abort', stop, { once: true });
    try {
      await transport.verify();
      return { data: { results: { isSignedIn: username !== '' } } };
    } finally {
      at.signal.removeEventListener('abort', stop);
      transport.close();
    }
  });
}

/** A mail server that takes mail. */
export const smtpKind = registeredKind({
  key: 'smtp',
  title: 'SMTP',
  needs: 'nothing',
  testedAgainst: 'real client over a local server',
  example: { name: 'mail goes out', url: 'smtp://mail.example.com:587', startTLS: true },
  schema: smtpSchema,
  run,
});
