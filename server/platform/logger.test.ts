import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';

/** A logger and what it wrote. */
function recording() {
  let text = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { logger: createLogger('debug', sink), text: () => text };
}

describe('the log', () => {
  it('keeps secrets out wherever they usually stand', () => {
    const { logger, text } = recording();
    logger.info({ password: 's3cret', body: { csrf_token: 's3cret' }, session: { token: 's3cret' } }, 'x');
    logger.info({ headers: { cookie: 's3cret', authorization: 's3cret' } }, 'y');
    expect(text()).toContain('[removed]');
    expect(text()).not.toContain('s3cret');
  });

  it('writes the path of a request without its query, which may carry a token', () => {
    const { logger, text } = recording();
    logger.info(
      { req: { method: 'GET', url: '/api/logout?token=s3cret', headers: { cookie: 's3cret' } } },
      'z',
    );
    expect(JSON.parse(text())).toMatchObject({ req: { method: 'GET', path: '/api/logout' } });
    expect(text()).not.toContain('s3cret');
  });
});
