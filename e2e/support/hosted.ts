/** A hosted deployment for one test file: a real provider, a front, and the backend of two of its organisations. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { CLIENT, startOidcServer, type OidcServer } from '../../tests/hosted/oidc-server.ts';
import { freePort } from '../../tests/security/support/free-port.ts';
import { prepareServer, type HoldfastServer } from './holdfast-server.ts';

export interface HostedDeployment {
  front: HoldfastServer;
  engines: HoldfastServer;
  directly: HoldfastServer;
  provider: OidcServer;
  dispose(): Promise<void>;
}

export async function startHosted(): Promise<HostedDeployment> {
  const [frontPort, enginesPort, directPort] = [await freePort(), await freePort(), await freePort()];
  const publicUrl = `http://localhost:${frontPort}`;
  const provider = await startOidcServer(`${publicUrl}/api/auth/oidc/callback`, `${publicUrl}/login`);
  const organizations = ['engines', 'directly', 'nowhere'].map((slug) => ({ slug, role: 'admin' }));
  provider.people.set('ada', { name: 'Ada Lovelace', email: 'ada@example.com', organizations });
  provider.people.set('eve', { name: 'Eve', email: 'eve@example.com' });
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-hosted-'));
  const file = join(folder, 'organizations.yaml');
  writeFileSync(
    file,
    JSON.stringify([
      { slug: 'engines', name: 'Engines', backend_url: `http://localhost:${enginesPort}/api` },
      {
        slug: 'directly',
        name: 'Directly',
        backend_url: `http://localhost:${directPort}/api`,
        direct: true,
      },
      { slug: 'nowhere', name: 'Nowhere' },
    ]),
  );
  const front = await prepareServer({
    port: frontPort,
    env: {
      AUTH_MODE: 'hosted',
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      ORGANIZATIONS_FILE: file,
    },
  });
  const backend = (slug: string, port: number) =>
    prepareServer({
      port,
      args: ['--demo'],
      env: {
        AUTH_MODE: 'hosted',
        OWN_ORGANIZATION: slug,
        TOKEN_ISSUER: publicUrl,
        TOKEN_JWKS_URL: `${publicUrl}/api/auth/jwks.json`,
        CORS_ORIGINS: publicUrl,
      },
    });
  const engines = await backend('engines', enginesPort);
  const directly = await backend('directly', directPort);
  const servers = [front, engines, directly];
  const dispose = async () => {
    await Promise.all(servers.map((server) => server.dispose()));
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    // One after the other: three databases that are made at once take minutes on a small machine.
    for (const server of servers) await server.start();
  } catch (error) {
    await dispose();
    throw error;
  }
  return { front, engines, directly, provider, dispose };
}

/** From our own sign-in page through the provider's pages and back. */
export async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).not.toHaveURL(/\/interaction\//);
}
