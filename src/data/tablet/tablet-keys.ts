/**
 * The keys of a person on a shared tablet (docs/decisions/0057). A pair is made with the PIN: whatever is locked away is
 * encrypted for its public half, without the PIN; the private half is stored encrypted under a key derived from the PIN.
 */
const PAIR = { name: 'RSA-OAEP', hash: 'SHA-256' } as const;
const BITS = 3072;
const CIPHER = 'AES-GCM';
const IV_BYTES = 12;
const SALT_BYTES = 16;
/** What OWASP recommends for PBKDF2 with SHA-256; a second on a slow tablet. */
const ROUNDS = 600_000;

/** Bytes that only the private half opens: a key of their own, encrypted for it, and what that key encrypts. */
export interface Sealed {
  key: ArrayBuffer;
  iv: Uint8Array<ArrayBuffer>;
  bytes: ArrayBuffer;
}

/** As it is stored. */
export interface PersonKeys {
  publicKey: ArrayBuffer;
  /** The private half, encrypted under the PIN. */
  privateKey: ArrayBuffer;
  iv: Uint8Array<ArrayBuffer>;
  salt: Uint8Array<ArrayBuffer>;
  rounds: number;
}

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

/** Browsers have none on plain http but on this machine. */
export function canEncrypt(): boolean {
  return window.isSecureContext;
}

async function keyOfPin(pin: string, { salt, rounds }: Pick<PersonKeys, 'salt' | 'rounds'>) {
  const typed = await crypto.subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, [
    'deriveKey',
  ]);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds };
  return crypto.subtle.deriveKey(how, typed, { name: CIPHER, length: 256 }, false, ['wrapKey', 'unwrapKey']);
}

/** New keys for that PIN. */
export async function createKeys(pin: string): Promise<PersonKeys> {
  const how = { ...PAIR, modulusLength: BITS, publicExponent: new Uint8Array([1, 0, 1]) };
  const pair = await crypto.subtle.generateKey(how, true, ['wrapKey', 'unwrapKey']);
  const [salt, iv] = [random(SALT_BYTES), random(IV_BYTES)];
  const pinKey = await keyOfPin(pin, { salt, rounds: ROUNDS });
  const privateKey = await crypto.subtle.wrapKey('pkcs8', pair.privateKey, pinKey, { name: CIPHER, iv });
  const publicKey = await crypto.subtle.exportKey('spki', pair.publicKey);
  return { publicKey, privateKey, iv, salt, rounds: ROUNDS };
}

/** Encrypts for the private half. */
export async function seal({ publicKey }: PersonKeys, bytes: BufferSource): Promise<Sealed> {
  const own = await crypto.subtle.importKey('spki', publicKey, PAIR, false, ['wrapKey']);
  const once = await crypto.subtle.generateKey({ name: CIPHER, length: 256 }, true, ['encrypt']);
  const iv = random(IV_BYTES);
  const encrypted = await crypto.subtle.encrypt({ name: CIPHER, iv }, once, bytes);
  return { key: await crypto.subtle.wrapKey('raw', once, own, PAIR), iv, bytes: encrypted };
}

/** The private half; null for a wrong PIN. */
export async function openKeys(keys: PersonKeys, pin: string): Promise<CryptoKey | null> {
  const pinKey = await keyOfPin(pin, keys);
  const cipher = { name: CIPHER, iv: keys.iv };
  try {
    return await crypto.subtle.unwrapKey('pkcs8', keys.privateKey, pinKey, cipher, PAIR, false, [
      'unwrapKey',
    ]);
  } catch {
    // The cipher proves what it decrypts: another PIN's key finds nothing.
    return null;
  }
}

/** What was sealed. Throws where somebody changed it. */
export async function unseal(privateKey: CryptoKey, { key, iv, bytes }: Sealed): Promise<ArrayBuffer> {
  const cipher = { name: CIPHER, length: 256 };
  const once = await crypto.subtle.unwrapKey('raw', key, privateKey, PAIR, cipher, false, ['decrypt']);
  return crypto.subtle.decrypt({ name: CIPHER, iv }, once, bytes);
}
