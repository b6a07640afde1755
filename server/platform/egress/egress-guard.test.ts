import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyAddress } from './address-rules.ts';
import { EgressRefused, createEgressGuard } from './egress-guard.ts';
import type { EgressAddress, EgressGuardOptions, EgressTrust } from './egress-guard.ts';

const NAMES: Record<string, string[]> = {
  'good.example': ['93.184.216.34'],
  'inside.example': ['10.1.2.3'],
  'localtest.me': ['127.0.0.1'],
  '169.254.169.254.nip.io': ['169.254.169.254'],
  'half.example': ['93.184.216.34', '169.254.169.254'],
  localhost: ['127.0.0.1', '::1'],
  'db.example': ['10.9.9.9'],
};
const asAddress = (address: string): EgressAddress => ({ address, family: address.includes(':') ? 6 : 4 });
async function resolve(host: string): Promise<EgressAddress[]> {
  const found = NAMES[host];
  if (found === undefined) throw new Error(`no such name ${host}`);
  return found.map(asAddress);
}
const guardOf = (options: Partial<EgressGuardOptions> = {}) =>
  createEgressGuard({
    allow: [],
    deny: [],
    resolve,
    ownNetworks: () => ['127.0.0.1/8', '192.168.7.5/24'],
    ownDatabase: null,
    ...options,
  });
const verdict = (host: string, trust: EgressTrust = 'user', options: Partial<EgressGuardOptions> = {}) =>
  guardOf(options)
    .check(host, 80, trust)
    .then((target) => target.addresses[0].address)
    .catch((error: unknown) => {
      if (error instanceof EgressRefused) return 'refused';
      throw error;
    });

const METADATA = [
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.16689662',
  '0xA9.0xFE.0xA9.0xFE',
  '169.254.169.254.',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:4136:e378:8000:63bf:5601:5601]',
  '[fe80::5efe:169.254.169.254]',
  '[fe80::1%eth0]',
  '[fd00:ec2::254]',
  '100.100.100.200',
  'metadata.google.internal',
  'METADATA.google.internal.',
  '169.254.169.254.nip.io',
  'half.example',
];
const NEVER = [
  '0.0.0.0',
  '0',
  '[::]',
  '255.255.255.255',
  '224.0.0.1',
  '[ff02::1]',
  '240.1.2.3',
  '192.168.7.255',
];
const LOOPBACK = [
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '127.1',
  '[::1]',
  '[::ffff:7f00:1]',
  'localhost',
  'localtest.me',
  'LOCALHOST.',
];

describe('what no check may call, whoever wrote it', () => {
  test.each([...METADATA, ...NEVER])(
    '%s is refused to users and operators, also when allowed',
    async (host) => {
      expect(await verdict(host)).toBe('refused');
      expect(await verdict(host, 'operator')).toBe('refused');
      expect(
        await verdict(host, 'operator', { allow: ['loopback', 'private', 'public', '169.254.0.0/16'] }),
      ).toBe('refused');
    },
  );

  test('every spelling of a link-local address inside IPv6 is found', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(octet, octet, (c, d) => {
        const hex = `a9fe:${((c << 8) | d).toString(16)}`;
        for (const form of [
          `::ffff:${hex}`,
          `::ffff:0:${hex}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::`,
          `::${hex}`,
        ])
          expect(classifyAddress(form)).toBe('never');
      }),
    );
  });

  test.each([
    '',
    ' ',
    'a b',
    'host/path',
    'a@127.0.0.1',
    '127.0.0.1#@ok',
    'x\r\nHost: y',
    '\0',
    'a?b',
    `${'a'.repeat(300)}.b`,
  ])('the host %j is not taken for a name', async (host) => {
    await expect(guardOf().check(host, 80, 'operator')).rejects.toMatchObject({
      name: /AppError|EgressRefused/,
    });
  });
});

describe('this machine', () => {
  test.each(LOOPBACK)('%s is open to operators and closed to users', async (host) => {
    expect(await verdict(host)).toBe('refused');
    expect(await verdict(host, 'operator')).not.toBe('refused');
  });

  test('a name that EGRESS_ALLOW opens is open on the named port only', async () => {
    const allow = ['localhost:80'];
    expect(await verdict('localhost', 'user', { allow })).toBe('127.0.0.1');
    await expect(guardOf({ allow }).check('localhost', 81, 'user')).rejects.toBeInstanceOf(EgressRefused);
  });

  test("the server's own database is closed to users by every one of its addresses", async () => {
    const options = { allow: [], ownDatabase: { host: 'localhost', port: 5432 } };
    const ask = (host: string, trust: EgressTrust) => guardOf(options).check(host, 5432, trust);
    await expect(ask('192.168.7.5', 'user')).rejects.toBeInstanceOf(EgressRefused);
    await expect(ask('192.168.7.6', 'user')).resolves.toMatchObject({ host: '192.168.7.6' });
    await expect(ask('192.168.7.5', 'operator')).resolves.toMatchObject({ host: '192.168.7.5' });
    const remote = guardOf({ ownDatabase: { host: 'db.example', port: 5432 } });
    await expect(remote.check('10.9.9.9', 5432, 'user')).rejects.toBeInstanceOf(EgressRefused);
    await expect(remote.check('10.9.9.9', 80, 'user')).resolves.toMatchObject({ host: '10.9.9.9' });
  });
});

describe('private and public places', () => {
  test('private ranges are open until EGRESS_DENY closes them, and an allowed address stays open', async () => {
    expect(await verdict('inside.example')).toBe('10.1.2.3');
    expect(await verdict('inside.example', 'operator', { deny: ['private'] })).toBe('refused');
    expect(await verdict('inside.example', 'user', { deny: ['private'], allow: ['10.1.0.0/16'] })).toBe(
      '10.1.2.3',
    );
    expect(await verdict('good.example', 'user', { deny: ['*.example'] })).toBe('refused');
  });

  test('a name is resolved once for one call', async () => {
    let asked = 0;
    const guard = guardOf({
      resolve: async () => [asAddress(asked++ === 0 ? '93.184.216.34' : '127.0.0.1')],
    });
    const target = await guard.check('rebinding.example', 80, 'user');
    expect(target.addresses).toEqual([asAddress('93.184.216.34')]);
    expect(asked).toBe(1);
  });

  test('an entry that cannot be read is an error at start', () => {
    expect(() => guardOf({ allow: ['10.0.0.0/99'] })).toThrow(/10\.0\.0\.0\/99/);
  });
});
