import { describe, expect, it } from 'vitest';
import { AREAS, may, mayRunCheck } from './matrix.ts';

const ADMIN_ONLY = ['rbac', 'identities', 'connections'];
const INCIDENT = ['responder', 'incident', 'evidences', 'comments'];

describe('the role matrix of spec 1 §6', () => {
  for (const area of AREAS) {
    it(`${area}: each role reads and writes what the table says`, () => {
      const restricted = ADMIN_ONLY.includes(area);
      expect(may(['admin'], area, 'read')).toBe(true);
      expect(may(['admin'], area, 'write')).toBe(true);
      for (const action of ['read', 'write'] as const)
        expect(may(['editor'], area, action)).toBe(!restricted);
      for (const role of ['commander', 'responder']) {
        expect(may([role], area, 'read')).toBe(!restricted);
        expect(may([role], area, 'write')).toBe(INCIDENT.includes(area));
      }
      expect(may(['viewer'], area, 'read')).toBe(!restricted);
      expect(may(['viewer'], area, 'write')).toBe(false);
    });
  }

  it('a user without roles, or with unknown ones, counts as viewer', () => {
    expect(may([], 'canaries', 'read')).toBe(true);
    expect(may([], 'canaries', 'write')).toBe(false);
    expect(may(['root'], 'connections', 'read')).toBe(false);
  });

  it("an agent has no part in any area, not even a viewer's", () => {
    for (const area of AREAS)
      for (const action of ['read', 'write'] as const) expect(may(['agent'], area, action)).toBe(false);
    expect(mayRunCheck(['agent'])).toBe(false);
    expect(may(['agent', 'viewer'], 'canaries', 'read')).toBe(true);
  });

  it('everyone but a viewer may run a check now', () => {
    for (const role of ['admin', 'editor', 'commander', 'responder']) expect(mayRunCheck([role])).toBe(true);
    expect(mayRunCheck(['viewer'])).toBe(false);
    expect(mayRunCheck([])).toBe(false);
  });
});
