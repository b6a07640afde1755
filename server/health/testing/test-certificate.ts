/** For tests only: a certificate for 127.0.0.1 from an authority made on the spot with the openssl command. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface TestCertificate {
  ca: string;
  cert: string;
  key: string;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Valid for `days` from now. */
export async function makeTestCertificate(days: number): Promise<TestCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-certificate-'));
  const at = (name: string) => join(folder, name);
  try {
    await run('openssl', [
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      at('ca.key'),
      '-out',
      at('ca.pem'),
      '-days',
      '30',
      '-subj',
      '/CN=Test authority',
    ]);
    await run('openssl', [
      'req',
      ...NEW_KEY,
      '-keyout',
      at('key.pem'),
      '-out',
      at('request.pem'),
      '-subj',
      '/CN=127.0.0.1',
    ]);
    await writeFile(at('names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
    await run('openssl', [
      'x509',
      '-req',
      '-in',
      at('request.pem'),
      '-CA',
      at('ca.pem'),
      '-CAkey',
      at('ca.key'),
      '-CAcreateserial',
      '-days',
      String(days),
      '-extfile',
      at('names'),
      '-out',
      at('cert.pem'),
    ]);
    const [ca, cert, key] = await Promise.all(
      ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readFile(at(name), 'utf8')),
    );
    return { ca: ca ?? '', cert: cert ?? '', key: key ?? '' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
