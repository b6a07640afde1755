import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { INCIDENT_SEVERITIES } from '../../domain/incident/incident.ts';
import { listSearch } from './search-schemas.ts';
import { listLink, listState } from './url-state.ts';
import { SeverityMark } from './SeverityMark.tsx';

const drawn = (severity: string) => renderToStaticMarkup(createElement(SeverityMark, { severity }));

test('a severity written in any case has the same bars, word and weight', () => {
  for (const severity of INCIDENT_SEVERITIES)
    for (const written of [severity.toUpperCase(), severity.charAt(0).toUpperCase() + severity.slice(1)])
      expect(drawn(written)).toBe(drawn(severity));
  expect(drawn('Blocker')).toContain('data-level="4"');
  expect(drawn('P7')).toContain('data-level="0"');
});

test('the list begins with the worst', () => {
  expect(listState({}).sort).toBe('severity');
  expect(listSearch.format(listLink(listState({ sort: 'severity' })))).toEqual({});
});
