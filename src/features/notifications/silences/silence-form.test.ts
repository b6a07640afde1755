import { describe, expect, it } from 'vitest';
import { silenceOfRow } from '../../../domain/notification/silence-row.ts';
import { newValues, scopeOf, silenceColumns, silenceFormSchema, silenceValues } from './silence-form.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const problems = (form: object) =>
  silenceFormSchema(() => NOW)
    .safeParse({ ...newValues({}), ...form })
    .error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('the form of a silence', () => {
  it('begins with what a link names, and silences it from now on', () => {
    const form = { ...newValues({ check_id: 'c' }), length: '2d', description: ' deploy ' };
    expect(form).toMatchObject({ about: 'check', thing: 'c' });
    expect(silenceColumns(form, NOW)).toEqual({
      config_id: null,
      component_id: null,
      check_id: 'c',
      canary_id: null,
      recursive: false,
      selector: null,
      filter: null,
      recurrence: null,
      description: 'deploy',
      from: '2026-03-01T12:00:00.000Z',
      until: '2026-03-03T12:00:00.000Z',
    });
  });

  it('opens and saves a silence as it was', () => {
    const row = {
      id: 's',
      config_id: 'i',
      recursive: true,
      selector: 'env=prod',
      filter: 'config.type == "Pod"',
      recurrence: [
        { start: '22:00', end: '06:00', days: ['sat'], tz: 'Europe/Berlin' },
        { start: '08:00', end: '09:00', tz: 'UTC', negate: true },
      ],
      description: 'nights',
      from: '2026-03-01T10:00:00.000Z',
      until: '2026-04-01T10:00:00.000Z',
    };
    const { id: _, ...columns } = row;
    expect(silenceColumns(silenceValues(silenceOfRow(row)), NOW)).toMatchObject(columns);
  });

  it('keeps all the things that one of the API names, and takes out only what is taken out', () => {
    const times = { from: '2026-03-01T10:00:00.000Z', until: '2026-04-01T10:00:00.000Z' };
    const named = { config_id: 'i', component_id: 'k', check_id: 'c', canary_id: 'n' };
    const form = silenceValues(silenceOfRow({ id: 's', ...named, recursive: true, ...times }));
    expect(silenceColumns({ ...form, description: 'more' }, NOW)).toMatchObject({
      ...named,
      recursive: true,
    });
    const less = { ...form, others: form.others.filter(({ kind }) => kind !== 'check') };
    expect(silenceColumns(less, NOW)).toMatchObject({ ...named, check_id: null });
    expect(scopeOf(form, NOW)).toMatchObject({
      configId: 'i',
      componentId: 'k',
      checkId: 'c',
      canaryId: 'n',
    });
    // What is below the component stays silent where the main thing has nothing below it.
    expect(silenceColumns({ ...form, about: 'check', thing: 'c' }, NOW)).toMatchObject({ recursive: true });
  });

  it('says at the field what the server would refuse', () => {
    expect(problems({})).toEqual(['thing']);
    expect(problems({ about: 'none' })).toEqual(['selector']);
    expect(problems({ about: 'none', filter: 'true' })).toEqual([]);
    expect(problems({ thing: 'i', selector: 'a in (b', filter: '1 +' })).toEqual(['selector', 'filter']);
    expect(problems({ thing: 'i', from: 'nonsense' })).toEqual(['from']);
    expect(problems({ thing: 'i', length: 'custom', until: '' })).toEqual(['until']);
    expect(problems({ thing: 'i', from: '2020-01-01T00:00', length: '1h' })).toEqual(['length']);
    const night = { start: '22:00', end: '', days: [], tz: '' };
    expect(problems({ thing: 'i', hours: [night] })).toEqual(['hours']);
  });

  it('asks for a preview as soon as it names something', () => {
    expect(scopeOf(newValues({}), NOW)).toBeNull();
    expect(scopeOf({ ...newValues({ component_id: 'k' }), recursive: true }, NOW)).toMatchObject({
      componentId: 'k',
      isRecursive: true,
    });
    expect(scopeOf({ ...newValues({}), about: 'none', selector: 'a in (b' }, NOW)).toBeNull();
  });
});
