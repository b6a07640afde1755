import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodePlatform } from '../platform.ts';
import { createSealer, loadSealingKey } from './sealing.ts';

describe('sealed secrets', () => {
  const sealer = createSealer(Buffer.alloc(32, 1), nodePlatform);

  it('open for their purpose with their key, and for nothing else', () => {
    const sealed = sealer.seal('a secret', 'totp 1');
    expect(sealer.open(sealed, 'totp 1')).toBe('a secret');
    expect(sealer.seal('a secret', 'totp 1')).not.toBe(sealed);
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('a secret');
    expect(() => sealer.open(sealed, 'totp 2')).toThrow(/identity.key/);
    const other = createSealer(Buffer.alloc(32, 2), nodePlatform);
    expect(() => other.open(sealed, 'totp 1')).toThrow(/identity.key/);
    const flipped = Buffer.from(sealed, 'base64');
    flipped.writeUInt8(flipped.readUInt8(flipped.length - 1) ^ 1, flipped.length - 1);
    expect(() => sealer.open(flipped.toString('base64'), 'totp 1')).toThrow(/identity.key/);
  });

  it('have marks that need the key and keep their parts apart', () => {
    expect(sealer.mark('a', 'bc')).toBe(sealer.mark('a', 'bc'));
    expect(sealer.mark('a', 'bc')).not.toBe(sealer.mark('ab', 'c'));
    expect(createSealer(Buffer.alloc(32, 2), nodePlatform).mark('a')).not.toBe(sealer.mark('a'));
  });
});

describe('the key file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-key-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is made once, for its owner only, and read again', async () => {
    const key = await loadSealingKey(join(folder, 'data'), nodePlatform);
    expect(key).toHaveLength(32);
    const file = join(folder, 'data', 'identity.key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).trim()).toBe(key.toString('hex'));
    expect(await loadSealingKey(join(folder, 'data'), nodePlatform)).toEqual(key);
  });

  it('that is damaged is refused, not replaced: what it sealed would be lost', async () => {
    await writeFile(join(folder, 'identity.key'), 'short');
    await expect(loadSealingKey(folder, nodePlatform)).rejects.toThrow(/is not a key/);
    expect(await readFile(join(folder, 'identity.key'), 'utf8')).toBe('short');
  });
});
