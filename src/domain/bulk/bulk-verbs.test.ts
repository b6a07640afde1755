import { describe, expect, test } from 'vitest';
import { THING_TABLES } from './things.ts';
import { bulkVerbs, OWN_KINDS, sharedVerbs, type BulkKind } from './bulk-verbs.ts';

describe('what may be done to many', () => {
  test.each([
    ['checks', ['viewer'], []],
    ['checks', ['responder'], ['acknowledge', 'run']],
    ['checks', ['editor'], ['acknowledge', 'run', 'pause', 'resume', 'label', 'move', 'delete']],
    ['incidents', ['viewer'], []],
    ['incidents', ['responder'], ['acknowledge', 'assign', 'status']],
    ['configs', ['commander'], ['acknowledge']],
    ['notification_history', ['responder'], []],
    ['notification_history', ['editor'], ['resend']],
    ['notification_silences', ['editor'], ['end', 'delete']],
    ['playbook_runs', ['editor'], ['cancel']],
    ['users', ['editor'], []],
    ['users', ['admin'], ['role', 'activate', 'deactivate', 'delete']],
    ['walls', ['editor'], []],
    ['tablets', ['admin'], ['revoke']],
    ['flags', ['editor'], ['delete']],
    ['connections', ['editor'], []],
    ['connections', ['admin'], ['move', 'delete']],
  ] satisfies [BulkKind, string[], string[]][])('%s by %s: %s', (kind, roles, verbs) => {
    expect(bulkVerbs(kind, roles)).toEqual(verbs);
  });

  test('a viewer changes nothing in any list', () => {
    for (const kind of [...OWN_KINDS, ...THING_TABLES]) expect(bulkVerbs(kind, ['viewer'])).toEqual([]);
  });

  test('of integrations of several kinds it is what all of them can have done', () => {
    const verbs = bulkVerbs('integrations', ['editor']);
    expect(verbs).toEqual(['run', 'pause', 'resume', 'label', 'move', 'delete']);
    expect(sharedVerbs(verbs, ['config_scrapers', 'topologies'])).toEqual([
      'run',
      'pause',
      'resume',
      'move',
      'delete',
    ]);
    expect(sharedVerbs(verbs, ['config_scrapers', 'logging_backends'])).toEqual(['delete']);
  });
});
