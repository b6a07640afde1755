import { describe, expect, it } from 'vitest';
import { displayedRole } from './displayed-role.ts';

describe('the role that a user is shown with', () => {
  it('is the first of admin, editor, viewer that they have', () => {
    expect(displayedRole(['viewer', 'admin', 'editor'])).toBe('admin');
    expect(displayedRole(['viewer', 'editor'])).toBe('editor');
    expect(displayedRole(['responder', 'viewer'])).toBe('viewer');
  });

  it('is what they have where it is none of these', () => {
    expect(displayedRole(['responder'])).toBe('responder');
  });

  it('is none for nobody’s role and for roles that do not exist', () => {
    expect(displayedRole([])).toBeNull();
    expect(displayedRole(['owner'])).toBeNull();
  });
});
