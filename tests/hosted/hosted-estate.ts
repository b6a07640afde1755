/** For tests: a provider, a front, and the backends of two organisations, one of them used directly. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../server/platform/db/database.ts';
import type { HostedSettings } from '../../server/platform/settings/hosted-settings.ts';
import { freePort } from '../security/support/free-port.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';
import { CLIENT, startOidcServer, type OidcServer } from './oidc-server.ts';

export interface HostedEstate {
  provider: OidcServer;
  front: TestServer;
  engines: TestServer;
  directly: TestServer;
  stop(): Promise<void>;
}

/** `own`: slug of the organisation that the front itself is the backend of. */
export async function startHostedEstate(
  open: () => Promise<Database>,
  options: { own?: string } = {},
): Promise<HostedEstate> {
  const [frontPort, enginesPort, directPort] = [await freePort(), await freePort(), await freePort()];
  const publicUrl = `http://localhost:${frontPort}`;
  const provider = await startOidcServer(`${publicUrl}/api/auth/oidc/callback`, `${publicUrl}/login`);
  provider.people.set('ada', {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    organizations: [
      { slug: 'engines', role: 'admin' },
      { slug: 'directly', role: 'org:admin' },
      { slug: 'nowhere', role: 'member' },
      { slug: 'own', role: 'admin' },
    ],
  });
  provider.people.set('olga', { name: 'Olga', organizations: [{ slug: 'own', role: 'admin' }] });
  provider.people.set('eve', { name: 'Eve', email: 'eve@example.com' });
  const hosted: HostedSettings = {
    provider: { issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, publicUrl },
    organizations: [
      {
        slug: 'engines',
        name: 'Engines',
        backendUrl: `http://localhost:${enginesPort}/api`,
        isDirect: false,
      },
      {
        slug: 'directly',
        name: 'Directly',
        backendUrl: `http://localhost:${directPort}/api`,
        isDirect: true,
      },
      { slug: 'nowhere', name: 'Nowhere', backendUrl: null, isDirect: false },
      { slug: 'own', name: 'Own', backendUrl: null, isDirect: false },
    ],
    ownOrganization: options.own ?? null,
    tokens: null,
  };
  const front = await startTestServer(await open(), {
    settings: { hosted },
    port: frontPort,
    dataDir: mkdtempSync(join(tmpdir(), 'holdfast-hosted-')),
    heartbeatMs: 400,
  });
  const tokens = { issuer: publicUrl, jwksUrl: `${publicUrl}/api/auth/jwks.json` };
  const backend = async (slug: string, port: number) =>
    startTestServer(await open(), {
      settings: {
        hosted: { provider: null, organizations: [], ownOrganization: slug, tokens },
        corsOrigins: [publicUrl],
      },
      port,
      heartbeatMs: 400,
    });
  const engines = await backend('engines', enginesPort);
  const directly = await backend('directly', directPort);
  return {
    provider,
    front,
    engines,
    directly,
    async stop() {
      await front.stop();
      await engines.stop();
      await directly.stop();
      await provider.close();
    },
  };
}
