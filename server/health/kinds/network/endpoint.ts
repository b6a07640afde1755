/** `host:port` of a service, with the port that it has by itself. */
import { AppError } from '../../../../src/contract/errors.ts';
import { splitHostPort } from '../../kind/check-kind.ts';

/** Throws `invalid` for what is neither a host nor host:port. */
export function endpointOf(text: string, defaultPort: number): { host: string; port: number } {
  const [bare = ''] = text
    .trim()
    .replace(/^[a-z][\w+.-]*:\/\//i, '')
    .split('/', 1);
  const hasPort = /:\d{1,5}$/.test(bare) && (!bare.includes('::') || bare.startsWith('['));
  const place = splitHostPort(hasPort ? bare : `${bare}:${defaultPort}`);
  if (place === null) throw new AppError('invalid', `endpoint "${text}" is not host:port`);
  return place;
}
