/** For Node's own clients: a name is what the guard judged, and is not resolved again. */
import type { LookupFunction } from 'node:net';
import type { EgressTarget } from './egress-guard.ts';

/** As the option `lookup` of a request. */
export function pinnedTo({ addresses }: EgressTarget): LookupFunction {
  const [first] = addresses;
  return (_host, options, done) => {
    if (options.all === true) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
}
