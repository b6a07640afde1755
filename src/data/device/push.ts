/**
 * Notifications on this device, for the signed-in user. Who switched them on is remembered here, so that another
 * user of the same browser isn't told anything unasked. Switching needs the server; what was switched on comes back
 * by itself after the next sign-in.
 */
import type { ErrorFacts } from '../../contract/errors.ts';
import type { PushCall } from '../../contract/push.ts';
import type { Answer } from '../../contract/queries/queries.ts';
import { dataClient } from '../client/data-client.ts';
import { tabletHere } from './platform-tablet.ts';
import {
  askToNotify,
  currentSubscription,
  isAllowed,
  isBlocked,
  pushAbility,
  subscribeBrowser,
  unsubscribeBrowser,
} from './platform-push.ts';

export type PushState = 'on' | 'off' | 'blocked' | 'needs-home-screen' | 'unable';

/** What is kept of it on this device. */
export interface PushMemory {
  read(): string | null;
  write(userId: string): void;
}

/** Null when it worked. */
export type PushProblem = ErrorFacts | 'not-allowed' | null;

function call(asked: PushCall): Promise<Answer<string | null>> {
  return dataClient().workers.sync.act('call-push', asked);
}

/** `on` only for the user who switched it on here. */
export async function pushState(userId: string, memory: PushMemory): Promise<PushState> {
  const ability = pushAbility();
  if (ability !== 'able') return ability;
  if (isBlocked()) return 'blocked';
  return memory.read() === userId && (await currentSubscription()) !== null ? 'on' : 'off';
}

async function register(): Promise<PushProblem> {
  const key = await call({ do: 'key' });
  if (!key.ok) return key.error;
  const subscription = await subscribeBrowser(key.value ?? '');
  if (subscription === null) return 'not-allowed';
  const answer = await call({ do: 'subscribe', subscription });
  return answer.ok ? null : answer.error;
}

/** Asks the user first; call it from a click. */
export async function switchOn(userId: string, memory: PushMemory): Promise<PushProblem> {
  if (!(await askToNotify())) return 'not-allowed';
  const problem = await register();
  if (problem === null) memory.write(userId);
  return problem;
}

/** The browser's subscription ends even when the server can't be told; null when that went well, too. */
export async function switchOff(memory: PushMemory): Promise<PushProblem> {
  const known = await currentSubscription();
  memory.write('');
  if (known === null) return null;
  await unsubscribeBrowser();
  const answer = await call({ do: 'unsubscribe', endpoint: known.endpoint });
  return answer.ok ? null : answer.error;
}

/** The session, the server's key or the browser's address may be new: says so to the server where this is on. */
export async function renewPush(userId: string, memory: PushMemory): Promise<void> {
  // A shared tablet took the browser's subscription back when it was locked.
  const isWanted = tabletHere() !== null && memory.read() === userId && isAllowed();
  if (isWanted || (await pushState(userId, memory)) === 'on') await register();
}

/**
 * Has the server send this device a notification; null when this device said that it showed it, `unconfirmed` when its
 * push service took it and nothing more is known.
 */
export async function testPush(): Promise<PushProblem | 'unconfirmed'> {
  const known = await currentSubscription();
  if (known === null) return 'not-allowed';
  const answer = await call({ do: 'test', endpoint: known.endpoint });
  if (!answer.ok) return answer.error;
  return answer.value === 'shown' ? null : 'unconfirmed';
}
