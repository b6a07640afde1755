/** Ids that say of what: a schema brands them where they come in, so that one thing's id is never taken for another's. */
import { z } from 'zod';

/** The id of a thing of that kind. Who asks gives a text; who answers has a branded one. */
export function idOf<Kind extends string>(_kind: Kind) {
  return z.string().brand<Kind>();
}

export type Id<Kind extends string> = string & z.$brand<Kind>;
