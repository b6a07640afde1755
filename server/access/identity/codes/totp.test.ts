import { describe, expect, it } from 'vitest';
import { nodePlatform } from '../../../platform/platform.ts';
import { createSealer } from '../../../platform/crypto/sealing.ts';
import { createTotp } from './totp.ts';

/** RFC 6238, appendix B: the secret of its SHA-1 examples. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

function totpAt(ms: number) {
  const platform = { ...nodePlatform, now: () => ms };
  return createTotp({ platform, sealer: createSealer(Buffer.alloc(32), platform) });
}

describe('codes of an authenticator app', () => {
  it('are those of the standard', () => {
    // The standard's examples have eight digits; ours are the last six.
    expect(totpAt(59_000).stepOf(SECRET, '287082')).toBe(1);
    expect(totpAt(1_111_111_109_000).stepOf(SECRET, '081804')).toBe(37_037_036);
    expect(totpAt(2_000_000_000_000).stepOf(SECRET, '279 037')).toBe(66_666_666);
  });

  it('count one step early and one late, and no further', () => {
    const stepAt = (seconds: number) => totpAt(seconds * 1000).stepOf(SECRET, '287082');
    expect([stepAt(0), stepAt(29), stepAt(30), stepAt(59), stepAt(60), stepAt(89)]).toEqual([
      1, 1, 1, 1, 1, 1,
    ]);
    expect(stepAt(90)).toBeNull();
  });

  it('that are no codes are wrong, not a crash', () => {
    for (const code of ['', 'abcdef', '28708', '2870822', '２８７０８２', '-87082', '1e5000']) {
      expect([code, totpAt(59_000).stepOf(SECRET, code)]).toEqual([code, null]);
    }
  });

  it('come with a picture that names account and maker', async () => {
    expect(await totpAt(0).qrCode(SECRET, 'ada@example.com')).toMatch(/^data:image\/png;base64,/);
  });
});
