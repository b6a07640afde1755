/** The kinds of connections (contract §19.8), as data: forms, rows and tests are made from it. */
import type { ConnectionType } from './connection-fields.ts';
import { NOTIFICATION_CONNECTIONS } from './notification-connections.ts';
import { SYSTEM_CONNECTIONS } from './system-connections.ts';

/** In the order of their titles. */
export const CONNECTION_TYPES: readonly ConnectionType[] = [
  ...SYSTEM_CONNECTIONS,
  ...NOTIFICATION_CONNECTIONS,
].toSorted((a, b) => a.title.localeCompare(b.title));

/** Undefined for a type that this version doesn't know. */
export function connectionType(type: string | null | undefined): ConnectionType | undefined {
  return CONNECTION_TYPES.find((known) => known.type === type);
}
