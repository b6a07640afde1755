import { describe, expect, it } from 'vitest';
import { jobDetails, jobResourceLink } from './job.ts';

describe('the details of a run', () => {
  it('are none when there is nothing to say', () => {
    for (const details of [null, undefined, {}, { errors: [], summary: {} }, { errors: '' }])
      expect(jobDetails(details)).toBeNull();
  });

  it('list errors that come as a text, as a list, or by name', () => {
    expect(jobDetails({ errors: 'broken' })?.errors).toEqual(['broken']);
    expect(jobDetails({ errors: ['a', { code: 1 }] })?.errors).toEqual(['a', '{"code":1}']);
    expect(jobDetails({ errors: { kubernetes: 'gone' } })?.errors).toEqual(['kubernetes: gone']);
  });
});

describe('a job’s resource', () => {
  it('is found where it has a page', () => {
    expect(jobResourceLink('canary', '1')).toBe('/settings/canaries/1');
    expect(jobResourceLink('topology', '1')).toBe('/settings/topologies/1');
    expect(jobResourceLink('components', '1')).toBeNull();
  });
});
