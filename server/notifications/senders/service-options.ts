/** What a service is told beside title and body: by the rule, else by its connection or address. */
import { AppError } from '../../../src/contract/errors.ts';
import type { ServiceAddress } from '../../../src/domain/notification/service-address.ts';
import { MESSAGES } from './messages.ts';
import type { OutgoingNotification } from './sender.ts';

/** A part that the service can't do without; throws with the part's name. */
export function need({ kind, parts }: ServiceAddress, name: string): string {
  const value = parts[name] ?? '';
  if (value.trim() === '') throw new AppError('invalid', MESSAGES.missing(kind, name));
  return value;
}

/** An option under any of its names; the rule's goes before the address's. Empty where nobody says it. */
export function optionOf(
  { properties }: OutgoingNotification,
  { parts }: ServiceAddress,
  ...names: readonly string[]
): string {
  const given = Object.entries(properties).find(
    ([name, value]) => value !== '' && names.includes(name.toLowerCase()),
  );
  return given?.[1] ?? names.map((name) => parts[name] ?? '').find((value) => value !== '') ?? '';
}

/** `a, b` or `a/b` as its parts. */
export const listOf = (text: string): string[] =>
  text
    .split(/[,/\s]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
