import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseProperties, propertiesOfEnvironment, readLocalProperties } from './local-properties.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-properties-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('properties set outside the database', () => {
  it('a file holds lines name=value, with comments and empty lines', () => {
    const text = '# flags\nincidents.disable = true\r\n\n! old style\nurl=http://a/?b=c\nempty=';
    expect(parseProperties(text, 'p')).toEqual([
      ['incidents.disable', 'true'],
      ['url', 'http://a/?b=c'],
      ['empty', ''],
    ]);
  });

  it('a line that is none is refused with file and line number', () => {
    expect(() => parseProperties('a=1\nnonsense', '/etc/x')).toThrow('"/etc/x:2"');
    expect(() => parseProperties('=1', '/etc/x')).toThrow('/etc/x:1');
  });

  it('in a variable two underscores are a dot, and capitals only are small letters', () => {
    const env = { PROPERTY_incidents__disable: 'true', PROPERTY_LOGS__DISABLE: 'on', PATH: '/bin' };
    expect(propertiesOfEnvironment(env)).toEqual([
      ['incidents.disable', 'true'],
      ['logs.disable', 'on'],
    ]);
    expect(propertiesOfEnvironment({ PROPERTY_job__history__maxAge: '1d' })).toEqual([
      ['job.history.maxAge', '1d'],
    ]);
    expect(() => propertiesOfEnvironment({ PROPERTY_: 'x' })).toThrow('PROPERTY_');
  });

  it('a variable wins over the file', () => {
    const path = join(folder, 'app.properties');
    writeFileSync(path, 'a=file\nb=file\n');
    const read = readLocalProperties({ PROPERTIES_FILE: path, PROPERTY_a: 'variable' });
    expect([...read]).toEqual([
      ['a', 'variable'],
      ['b', 'file'],
    ]);
  });

  it('a file that is not there is refused by name', () => {
    expect(() => readLocalProperties({ PROPERTIES_FILE: join(folder, 'none') })).toThrow('PROPERTIES_FILE=');
  });
});
