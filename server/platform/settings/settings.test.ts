import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings, SettingsError } from './settings.ts';

/** The line that the operator sees; fails when the settings are accepted. */
function refusal(env: Record<string, string>, args: string[] = []): string {
  try {
    parseSettings(env, args);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error('accepted');
}

describe('settings', () => {
  it('refuses an agent without a token, and an address with a user in it', () => {
    const url = 'https://up.example';
    expect(() => parseSettings({ UPSTREAM_URL: url }, [])).toThrow(/^UPSTREAM_PASSWORD=/);
    expect(() => parseSettings({ UPSTREAM_URL: 'https://a:b@up.example' }, [])).toThrow(/^UPSTREAM_URL=/);
    expect(parseSettings({ UPSTREAM_URL: `${url}/`, UPSTREAM_PASSWORD: 't' }, []).upstream).toEqual({
      url,
      user: 'token',
      password: 't',
      agentName: null,
      ownCluster: { kubeconfig: null },
    });
    const given = { UPSTREAM_URL: url, UPSTREAM_PASSWORD: 't', KUBECONFIG: '/etc/k' };
    const clusterOf = (more: object) => parseSettings({ ...given, ...more }, []).upstream?.ownCluster;
    expect(clusterOf({})).toEqual({ kubeconfig: '/etc/k' });
    expect(clusterOf({ AGENT_CLUSTER: 'false' })).toBeUndefined();
  });

  it('without any, have the documented defaults', () => {
    expect(parseSettings({}, [])).toEqual({
      port: 8080,
      host: '127.0.0.1',
      dataDir: resolve('data'),
      databaseUrl: null,
      adminEmail: 'admin@local',
      adminPassword: null,
      canariesDir: null,
      scrapersDir: null,
      topologiesDir: null,
      playbooksDir: null,
      logsDir: null,
      logBackendsDir: null,
      upstream: null,
      chartsUrl: 'https://raw.githubusercontent.com/flanksource/mission-control-registry/main/charts',
      advertiseUrl: null,
      uplinkProbes: [],
      backendUrl: null,
      isChecksOnly: false,
      isExecAllowed: false,
      egressAllow: [],
      egressDeny: [],
      logLevel: 'info',
      isDemo: false,
      isAuthDemo: false,
      registration: 'invitation',
      publicUrl: null,
      smtpUrl: null,
      smtpFrom: 'holdfast@localhost',
      hosted: null,
      trustedProxies: ['loopback'],
      corsOrigins: [],
    });
  });

  it('are read from the environment and the flags; empty counts as not set', () => {
    const settings = parseSettings(
      {
        PORT: '0',
        HOST: '',
        DATABASE_URL: 'embedded',
        ADMIN_EMAIL: 'Boss@Example.com',
        ALLOW_EXEC: 'TRUE',
        CHECKS_ONLY: '0',
        EGRESS_ALLOW: '10.0.0.0/8, db.local ,',
        SCRAPERS_DIR: '/tmp/x',
        PLAYBOOKS_DIR: '/tmp/y',
        UNRELATED: 'yes',
      },
      ['--demo'],
    );
    expect(settings).toMatchObject({
      port: 0,
      host: '127.0.0.1',
      databaseUrl: 'embedded',
      adminEmail: 'boss@example.com',
      isExecAllowed: true,
      isChecksOnly: false,
      egressAllow: ['10.0.0.0/8', 'db.local'],
      scrapersDir: '/tmp/x',
      playbooksDir: '/tmp/y',
      upstream: null,
      isDemo: true,
    });
  });

  it.each([
    [{ PORT: '99999' }, 'PORT', '99999', '65535'],
    [{ PORT: 'http' }, 'PORT', 'http', '65535'],
    [{ PORT: '80.5' }, 'PORT', '80.5', '65535'],
    [{ HOST: 'a b' }, 'HOST', 'a b', 'address'],
    [{ DATABASE_URL: 'mysql://x/y' }, 'DATABASE_URL', '***', 'postgres://'],
    [{ ADMIN_EMAIL: 'boss' }, 'ADMIN_EMAIL', 'boss', 'e-mail'],
    [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD', '***', '8 to 256'],
    [{ BACKEND_URL: 'ftp://x' }, 'BACKEND_URL', 'ftp://x', 'http://'],
    [{ AUTH_MODE: 'hosted' }, 'AUTH_MODE', 'hosted', 'needs OIDC_ISSUER'],
    [{ AUTH_MODE: 'none' }, 'AUTH_MODE', 'none', 'basic'],
    [
      { AUTH_MODE: 'hosted', OIDC_ISSUER: 'http://far.example' },
      'OIDC_ISSUER',
      'http://far.example',
      'https',
    ],
    [{ CHECKS_ONLY: 'maybe' }, 'CHECKS_ONLY', 'maybe', 'true and false'],
    [{ TRUSTED_PROXIES: 'loopback, proxy' }, 'TRUSTED_PROXIES', 'loopback, proxy', '10.0.0.0/8'],
    [{ TRUSTED_PROXIES: '10.0.0.0/99' }, 'TRUSTED_PROXIES', '10.0.0.0/99', 'networks'],
    [{ EGRESS_ALLOW: '10.0.0.0/8, ::::' }, 'EGRESS_ALLOW', '10.0.0.0/8, ::::', 'addresses'],
    [
      { ADVERTISE_URL: 'http://10.0.0.5:8080/x' },
      'ADVERTISE_URL',
      'http://10.0.0.5:8080/x',
      'without a path',
    ],
    [{ ADVERTISE_URL: '10.0.0.5' }, 'ADVERTISE_URL', '10.0.0.5', 'http://'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL', 'loud', 'trace, debug, info'],
  ])(
    '%j is refused in one line with variable, value and what is allowed',
    (env, variable, value, allowed) => {
      const line = refusal(env);
      expect(line).toContain(`${variable}="${value}"`);
      expect(line).toContain(allowed);
      expect(line).not.toContain('\n');
    },
  );

  it('an unknown flag is refused', () => {
    expect(refusal({}, ['--dmeo'])).toContain('--demo');
  });

  it('a refusal never shows a secret', () => {
    expect(refusal({ ADMIN_PASSWORD: 'hunter2' })).not.toContain('hunter2');
    expect(refusal({ DATABASE_URL: 'mysql://user:hunter2@x' })).not.toContain('hunter2');
  });
});
