import { expect, it } from 'vitest';
import { refusedPlace } from './refused-place.ts';

it('leads what a server refused to its field', () => {
  expect(refusedPlace('spec.http[0].url', 'spec.http[0].url: is required')).toEqual({
    place: 'http.0.url',
    message: 'This field is required',
  });
  expect(refusedPlace('spec.http[2].headers[0].value', 'too long')).toEqual({
    place: 'http.2.headers.0.value',
    message: 'too long',
  });
});

it('knows no place where the document is meant as a whole', () => {
  for (const path of ['spec', '', 'name']) expect(refusedPlace(path, 'is wrong')).toBeNull();
});
