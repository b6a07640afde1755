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
    const problem = { message: 'a.yaml:3: spec.http: is missing', file: 'a.yaml', line: 3 };
    expect(jobDetails({ errors: [problem] })?.errors).toEqual([problem.message]);
  });
});

describe('a job’s resource', () => {
  it('is found where it has a page', () => {
    expect(jobResourceLink('canary', '1')).toBe('/settings/canaries/1');
    expect(jobResourceLink('topology', '1')).toBe('/settings/topologies/1');
    expect(jobResourceLink('config_scraper', '1')).toBe('/catalog/scrapers/1');
    expect(jobResourceLink('components', '1')).toBeNull();
  });
});
