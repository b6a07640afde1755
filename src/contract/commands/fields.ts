/** Arguments that many commands share. */
import { z } from 'zod';

/** The id of a thing of that kind, made by who sends the command. */
export function idOf<Kind extends string>(_kind: Kind) {
  return z.guid().brand<Kind>();
}
export const optionalId = z.guid().nullable().default(null);

/** What the client cuts off, so that no row grows without bound. */
const TITLE_LENGTH = 500;
const TEXT_LENGTH = 50_000;

export const title = z.string().trim().min(1, 'Please provide a title').max(TITLE_LENGTH);
export const text = z.string().max(TEXT_LENGTH);
export const someText = z.string().trim().min(1, 'Please add some text').max(TEXT_LENGTH);

/** Free JSON of limited size: evidence payloads, responder properties. */
export const json = z.json().refine((value) => JSON.stringify(value).length <= 200_000, 'Too large');

/** Fields of an edit that were given. */
export function given(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
