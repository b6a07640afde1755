import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkKey } from './network-key.ts';

const part = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
const half = fc.array(part, { minLength: 4, maxLength: 4 });
/** Global addresses: the first part keeps them off the mapped and special forms. */
const prefix = half.map(([, ...rest]) => ['2001', ...rest]);

describe('the place of an address', () => {
  it('is one for all addresses of an IPv6 /64, and another for another', () => {
    fc.assert(
      fc.property(prefix, prefix, half, half, (here, there, one, other) => {
        const at = (network: string[], host: string[]) => networkKey([...network, ...host].join(':'));
        expect(at(here, one)).toBe(at(here, other));
        if (here.join() !== there.join()) expect(at(here, one)).not.toBe(at(there, one));
      }),
    );
  });

  it('is one for an IPv4 address and its mapped form, and its own for each', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (one, other) => {
        expect(networkKey(`::ffff:${one}`)).toBe(networkKey(one));
        if (one !== other) expect(networkKey(one)).not.toBe(networkKey(other));
      }),
    );
  });

  it('knows no zones, and takes what is no address as it is', () => {
    expect(networkKey('fe80::1%eth0')).toBe(networkKey('fe80::2'));
    expect(networkKey('unknown')).toBe('unknown');
  });
});
