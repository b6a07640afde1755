import { describe, expect, it } from 'vitest';
import { mayAct, OBJECTS, permissionsOf } from './objects.ts';

const ADMIN_ONLY = ['auth', 'connection', 'connection-detail', 'database.kratos', 'rbac'];
const FOR_WRITERS = ['agent-push', 'kubernetes-proxy'];

describe('objects and actions', () => {
  it('an admin may do all there is', () => {
    for (const object of OBJECTS)
      for (const action of ['read', 'create', 'update', 'delete'] as const)
        expect(mayAct(['admin'], object, action)).toBe(true);
  });

  it('a viewer reads what the matrix leaves open, and does nothing', () => {
    for (const object of OBJECTS) {
      const isOpen = !ADMIN_ONLY.includes(object) && !FOR_WRITERS.includes(object);
      expect(mayAct([], object, 'read')).toBe(isOpen);
      for (const action of ['create', 'update', 'delete', 'run', 'approve'] as const)
        expect(mayAct(['viewer'], object, action)).toBe(false);
    }
  });

  it('an editor writes all but identities, roles and connections', () => {
    for (const object of OBJECTS) {
      const isOpen = ![...ADMIN_ONLY, 'people'].includes(object);
      expect(mayAct(['editor'], object, 'create')).toBe(isOpen);
    }
  });

  it('commanders and responders write incidents only', () => {
    for (const role of ['commander', 'responder'])
      expect(OBJECTS.filter((object) => mayAct([role], object, 'update'))).toEqual(['incident']);
  });

  it('an agent pushes what it found and nothing else', () => {
    const list = permissionsOf('a', ['agent']).map(({ object, action }) => `${object}:${action}`);
    expect(list).toEqual([
      'agent-push:read',
      'agent-push:create',
      'agent-push:update',
      'topology:create',
      'topology:update',
    ]);
  });

  it('running and approving are for playbooks', () => {
    expect(mayAct(['editor'], 'playbooks', 'run')).toBe(true);
    expect(mayAct(['admin'], 'canaries', 'run')).toBe(false);
  });

  it('the list of permissions is what may be done, in the name of who asked', () => {
    const list = permissionsOf('someone', ['viewer']);
    expect(list).toContainEqual({ subject: 'someone', object: 'canaries', action: 'read', deny: false });
    expect(list.every(({ action }) => action === 'read')).toBe(true);
    expect(permissionsOf('x', ['admin'])).toHaveLength(OBJECTS.length * 4 + 2);
  });
});
