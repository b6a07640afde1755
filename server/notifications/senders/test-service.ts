/** The test of a connection to a service that takes notifications: one message that says it is a test. */
import { AppError } from '../../../src/contract/errors.ts';
import { kindOfType } from '../../../src/domain/notification/service-kind.ts';
import type { OpenConnection } from '../../connections/secret-scope.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import { MESSAGES } from './messages.ts';
import { sendNotification } from './send-notification.ts';

/** Whether a connection of this type can be tried so. */
export const isNotificationType = (type: string): boolean => kindOfType(type) !== null;

/** Sends it; throws with the reason where it was not taken. */
export async function testService(
  connection: OpenConnection,
  { guard, signal, key, now }: { guard: EgressGuard; signal: AbortSignal; key: string; now: () => number },
): Promise<void> {
  const outcome = await sendNotification(
    { connection: connection.type },
    { key, title: MESSAGES.testTitle, body: MESSAGES.testBody, properties: {} },
    { scope: { guard, connection: () => Promise.resolve(connection) }, signal, now },
  );
  if (outcome.kind !== 'sent') throw new AppError('network', outcome.reason);
}
