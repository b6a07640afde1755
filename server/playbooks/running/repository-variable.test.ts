import { expect, test } from 'vitest';
import { lastRepository, repositoryOf } from './repository-variable.ts';

const fill = (template: string) => Promise.resolve(template.replaceAll('{{.x}}', 'filled'));

test('an action has the repository that it works on, before it has fetched anything', async () => {
  const checkout = { url: 'https://example.com/{{.x}}', branch: 'v1' };
  expect(await repositoryOf({ name: 'a', exec: { script: 'ls', checkout } }, fill)).toEqual({
    url: 'https://example.com/filled',
    branch: 'v1',
    commit: null,
  });
  expect(
    await repositoryOf({ name: 'a', gitops: { repo: { connection: 'x', base: 'main' }, commit: {} } }, fill),
  ).toEqual({
    url: null,
    branch: 'main',
    commit: null,
  });
  expect(await repositoryOf({ name: 'a', exec: { script: 'ls' } }, fill)).toBeNull();
  expect(await repositoryOf({ name: 'a', http: { url: 'https://example.com' } }, fill)).toBeNull();
});

test('others have that of the last one that worked on any', () => {
  const done = (name: string, result: Record<string, unknown>) => ({
    name,
    status: 'completed',
    error: null,
    isTimeout: false,
    result,
  });
  const git = { url: 'https://example.com/b', branch: null, commit: 'abc' };
  expect(lastRepository([])).toBeNull();
  expect(lastRepository([done('a', { git: {} }), done('b', { git }), done('c', { rows: [] })])).toBe(git);
});
