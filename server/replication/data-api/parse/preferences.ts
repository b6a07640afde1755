/** What the header Prefer asks for (published as RFC 7240 preferences), and what was done of it. */
import { DataApiError, clip } from './api-error.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

export interface Preferences {
  count: 'exact' | 'planned' | 'estimated' | null;
  returns: 'representation' | 'minimal' | 'headers-only' | null;
  duplicates: 'merge' | 'ignore' | null;
  /** What a column gets that a written row does not name. */
  missing: 'default' | 'null' | null;
  handling: 'strict' | 'lenient' | null;
  /** Of strict handling only: a write that touches more rows is taken back. */
  maxAffected: number | null;
  timezone: string | null;
}

/** How each preference is written, in the order in which the answer lists those it followed. */
const FORMS: { [Name in keyof Preferences]: (value: NonNullable<Preferences[Name]>) => string } = {
  duplicates: (value) => `resolution=${value}-duplicates`,
  missing: (value) => `missing=${value}`,
  returns: (value) => `return=${value}`,
  count: (value) => `count=${value}`,
  handling: (value) => `handling=${value}`,
  timezone: (value) => `timezone=${value}`,
  maxAffected: (value) => `max-affected=${value}`,
};

const NO_PREFERENCES: Preferences = {
  count: null,
  returns: null,
  duplicates: null,
  missing: null,
  handling: null,
  maxAffected: null,
  timezone: null,
};

const BY_WISH = lookupTable<Partial<Preferences>>({
  'count=exact': { count: 'exact' },
  'count=planned': { count: 'planned' },
  'count=estimated': { count: 'estimated' },
  'return=representation': { returns: 'representation' },
  'return=minimal': { returns: 'minimal' },
  'return=headers-only': { returns: 'headers-only' },
  'resolution=merge-duplicates': { duplicates: 'merge' },
  'resolution=ignore-duplicates': { duplicates: 'ignore' },
  'missing=default': { missing: 'default' },
  'missing=null': { missing: 'null' },
  'handling=strict': { handling: 'strict' },
  'handling=lenient': { handling: 'lenient' },
  // Known, and not for clients to decide: a write that succeeds is committed.
  'tx=commit': {},
  'tx=rollback': {},
});

function understand(wish: string): Partial<Preferences> | null {
  const known = BY_WISH[wish];
  if (known !== undefined) return known;
  const rows = /^max-affected=(\d{1,9})$/.exec(wish)?.[1];
  if (rows !== undefined) return { maxAffected: Number(rows) };
  const zone = /^timezone=([\w+\-/]{1,60})$/.exec(wish)?.[1];
  return zone === undefined || !isTimeZone(zone) ? null : { timezone: zone };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Of preferences that contradict each other the first counts; unknown ones are refused only when strict. */
export function readPreferences(prefer: string | undefined): Preferences {
  const options = (prefer ?? '')
    .split(',')
    .map((wish) => wish.trim())
    .filter((wish) => wish !== '');
  const understood = options.map((wish) => ({ wish, means: understand(wish) }));
  const preferences: Preferences = understood.reduceRight(
    (known, { means }) => ({ ...known, ...means }),
    NO_PREFERENCES,
  );
  const unknown = understood.filter(({ means }) => means === null).map(({ wish }) => clip(wish));
  if (preferences.handling === 'strict' && unknown.length > 0) {
    throw new DataApiError(400, {
      code: 'PGRST122',
      message: 'Invalid preferences given with handling=strict',
      details: `Invalid preferences: ${unknown.join(', ')}`,
    });
  }
  return { ...preferences, maxAffected: preferences.handling === 'strict' ? preferences.maxAffected : null };
}

/** The header Preference-Applied for those of `followed` that were asked for. */
export function appliedHeader(
  preferences: Preferences,
  followed: readonly (keyof Preferences)[],
): Record<string, string> {
  const spell = <Name extends keyof Preferences>(name: Name): string[] => {
    const value = preferences[name];
    return value === null || !followed.includes(name) ? [] : [FORMS[name](value)];
  };
  const applied = [
    ...spell('duplicates'),
    ...spell('missing'),
    ...spell('returns'),
    ...spell('count'),
    ...spell('handling'),
    ...spell('timezone'),
    ...spell('maxAffected'),
  ];
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') };
}
