/** The keys that push services know this server by (RFC 8292): made once, the private one sealed in the database. */
// CommonJS: Node finds no named exports in it.
import webPush from 'web-push';
import type { Database } from '../../platform/db/database.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import { findKeys, insertKeys } from './push-query.ts';

export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

const PURPOSE = 'push keys';

/** The keys; made when there are none. */
export async function loadPushKeys(db: Database, sealer: Sealer): Promise<PushKeys> {
  const open = async (): Promise<PushKeys | null> => {
    const found = await findKeys(db);
    return found === null
      ? null
      : { publicKey: found.public_key, privateKey: sealer.open(found.private_key, PURPOSE) };
  };
  const known = await open();
  if (known !== null) return known;
  const made = webPush.generateVAPIDKeys();
  await insertKeys(db, {
    public_key: made.publicKey,
    private_key: sealer.seal(made.privateKey, PURPOSE),
  });
  return (await open()) ?? made;
}
