import { expect, test } from 'vitest';
import { fileName } from './download.ts';

test('a file is named after the item, with the ending of what it holds', () => {
  expect(fileName('kube-system/core dns', { form: 'yaml', format: null })).toBe('kube-system-core-dns.yaml');
  expect(fileName('..', { form: 'json', format: null })).toBe('config.json');
  expect(fileName('a', { form: 'text', format: 'XML' })).toBe('a.xml');
  expect(fileName('a', { form: 'text', format: '../x' })).toBe('a.txt');
});
