/** "Can I be reached?" in one line. */
import { reachVerdict, type ReachFacts } from '../../domain/notification/reach.ts';
import { formatAge } from '../../domain/time/format.ts';
import { messages } from './messages.ts';

function mailWord({ hasAddress, hasMail, settings, devices }: ReachFacts): string {
  if (!hasMail) return messages.noMail;
  if (!hasAddress) return messages.noAddress;
  return settings.mail === 'never' && settings.push && devices > 0 ? '' : messages.byMail;
}

/** Devices, when one was seen, the last test, mail: what is known, in that order. */
export function reachLine(facts: ReachFacts, nowMs: number): string {
  const { devices, seenAt, test, settings } = facts;
  const ago = (at: string) => formatAge(Math.max(0, nowMs - Date.parse(at)));
  const hasDevices = devices > 0 && settings.push;
  const tested =
    test === null ? messages.untested : (test.isShown ? messages.shown : messages.notShown)(ago(test.at));
  return [
    settings.push ? messages.devices(devices) : messages.pushOff,
    hasDevices && seenAt !== null ? messages.seen(ago(seenAt)) : '',
    hasDevices ? tested : '',
    mailWord(facts),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The health that the line is marked with. */
export function reachHealth(
  facts: ReachFacts,
  nowMs: number,
): 'healthy' | 'unknown' | 'warning' | 'unhealthy' {
  const looks = { yes: 'healthy', untested: 'unknown', doubtful: 'warning', no: 'unhealthy' } as const;
  return looks[reachVerdict(facts, nowMs)];
}
