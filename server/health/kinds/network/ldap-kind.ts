/** ldap: signs in (bind) and searches below bindDN (schema §4.1), by ldapts. */
import { z } from 'zod';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { connectLimitMs, judged, tlsOptions } from '../../kind/guarded-socket.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { agreeOnTls, placeUrl, servicePlace } from '../../kind/service-place.ts';
import { common, connection, limits, namesPlace, text, tlsSchema } from '../../kind/spec-fields.ts';

const ldapSchema = z
  .strictObject({
    ...common,
    ...connection,
    ...limits,
    /** Where the search begins. */
    bindDN: text.optional(),
    /** A filter of RFC 4515. */
    userSearch: text.optional(),
    skipTLSVerify: z.boolean().optional(),
    tlsConfig: tlsSchema.optional(),
  })
  .refine(namesPlace(['url', 'connection']), { path: ['url'], message: 'is required' })
  .refine(({ userSearch, bindDN }) => userSearch === undefined || bindDN !== undefined, {
    path: ['bindDN'],
    message: 'is required beside userSearch, which begins there',
  });
type LdapSpec = z.output<typeof ldapSchema>;

const PORT = 389;
const TLS_PORT = 636;
const MAX_ENTRIES = 1000;

function run(spec: LdapSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const { Client } = await import('ldapts');
    const service = await servicePlace(spec, context);
    const url = placeUrl(service.address, ['ldap', 'ldaps']);
    const isSecure = url.protocol === 'ldaps:';
    agreeOnTls(service.wantsTls, isSecure);
    const place = await judged(at, url.hostname, Number(url.port || (isSecure ? TLS_PORT : PORT)));
    const literal = place.address.includes(':') ? `[${place.address}]` : place.address;
    const tls = {
      ...service.tls,
      isInsecure: service.tls.isInsecure === true || spec.skipTLSVerify === true,
    };
    const client = new Client({
      url: `${url.protocol}//${literal}:${place.port}`,
      timeout: at.limitMs,
      connectTimeout: isSecure ? connectLimitMs(at, tls) : at.limitMs,
      ...(isSecure ? { tlsOptions: tlsOptions(place, tls) } : {}),
    });
    const stop = () => void client.unbind().catch(() => undefined);
    at.signal.addEventListener('abort', stop, { once: true });
    try {
      await client.bind(service.username, service.password);
      if (spec.bindDN === undefined) return { data: { results: { count: 0, entries: [] } } };
      const filter = spec.userSearch ?? '(objectClass=*)';
      const { searchEntries } = await client.search(spec.bindDN, {
        scope: 'sub',
        filter,
        sizeLimit: MAX_ENTRIES,
        attributes: ['dn'],
      });
      const entries = searchEntries.map(({ dn }) => dn);
      const error = entries.length === 0 ? `nothing below ${spec.bindDN} is found by ${filter}` : null;
      return { data: { results: { count: entries.length, entries: entries.slice(0, 100) } }, error };
    } finally {
      at.signal.removeEventListener('abort', stop);
      await client.unbind().catch(() => undefined);
    }
  });
}

/** A directory that lets somebody in and finds somebody. */
export const ldapKind = registeredKind({
  key: 'ldap',
  title: 'LDAP',
  needs: 'nothing',
  testedAgainst: 'real client over a local server',
  example: {
    name: 'directory',
    url: 'ldaps://ldap.example.com',
    username: { value: 'cn=monitor,dc=example,dc=com' },
    password: { valueFrom: { secretKeyRef: { name: 'ldap', key: 'password' } } },
    bindDN: 'ou=users,dc=example,dc=com',
    userSearch: '(objectClass=person)',
  },
  schema: ldapSchema,
  run,
});
