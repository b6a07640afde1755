/** How a property is written (contract §19.10): the first rule that fits it. Pure. */
import { webAddress, type ComponentProperty, type PropertyLink } from './property.ts';

export type ShownProperty =
  | { kind: 'age'; at: string }
  | { kind: 'links'; links: readonly PropertyLink[] }
  | {
      kind: 'text';
      text: string;
      /** Behind the text, in a smaller voice. */
      of: string | null;
      /** Of the most there can be, from 0 to 1; null without a bar. */
      share: number | null;
      isHigh: boolean;
    };

const BYTE_STEP = 1024;
const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'];
const GIB = 1024 ** 3;
const ONE_DECIMAL_FROM = 1e9;
/** Spec 2 §4. */
const HIGH_PERCENT = 70;
const TIMES: ReadonlySet<string> = new Set(['created', 'created_at', 'updated_at']);

/** In steps of 1024, with as many decimals as it is told. */
function bytesWith(bytes: number, digits: number): string {
  let value = Math.abs(bytes);
  let unit = 0;
  while (value >= BYTE_STEP && unit < BYTE_UNITS.length - 1) {
    value /= BYTE_STEP;
    unit += 1;
  }
  const sign = bytes < 0 ? '-' : '';
  return `${sign}${value.toFixed(digits).replace(/\.0$/, '')} ${BYTE_UNITS[unit] ?? ''}`;
}

/** `512 MB`, `1.5 GB`: one decimal above a GiB. */
export function formatSize(bytes: number): string {
  return bytesWith(bytes, bytes > GIB ? 1 : 0);
}

/** Money: the smaller the amount, the more of its digits. */
export function formatAmount(amount: number): string {
  if (amount > 1000) return `${(amount / 1000).toFixed(1)}k`;
  if (amount > 100) return amount.toFixed(0);
  if (amount > 10) return amount.toFixed(1);
  if (amount > 0.01) return amount.toFixed(2);
  return amount > 0.001 ? amount.toFixed(3) : String(amount);
}

const isMilli = (unit: string | null) => unit?.startsWith('milli') === true;
const isBytes = (unit: string | null) => unit === 'bytes';
const numberIn = ({ value, text }: ComponentProperty): number | null => {
  const found = typeof value === 'number' ? value : Number(value ?? text ?? Number.NaN);
  return Number.isFinite(found) ? found : null;
};
const plain = (text: string): ShownProperty => ({ kind: 'text', text, of: null, share: null, isHigh: false });

function shareOf(value: number, max: number | null): number | null {
  return max === null || max <= 0 ? null : Math.max(0, Math.min(1, value / max));
}

const isHighShare = (value: number, max: number) => Math.round((value / max) * 100) > HIGH_PERCENT;

/** Processor and memory: always in their own units, with a bar where it is known how much there can be. */
function usage(value: number, { unit, max }: ComponentProperty): ShownProperty {
  const write = isMilli(unit)
    ? (amount: number) => (amount / 1000).toFixed(2)
    : (amount: number) => bytesWith(amount, amount > ONE_DECIMAL_FROM ? 1 : 0);
  const share = shareOf(value, max);
  const hasMax = share !== null && max !== null;
  return {
    kind: 'text',
    text: write(value),
    of: hasMax ? write(max) : null,
    share,
    isHigh: hasMax && isHighShare(value, max),
  };
}

function inUnit(value: number, unit: string | null): string {
  if (isMilli(unit)) return String(value / 1000);
  return isBytes(unit) ? formatSize(value) : String(value);
}

function byDefault(property: ComponentProperty, { isShort }: { isShort: boolean }): ShownProperty {
  const { text, value, unit, max } = property;
  const number = typeof value === 'number' ? value : null;
  if (number === null) return plain(text ?? String(value ?? ''));
  if (text !== null && max === null) return plain(text);
  const share = shareOf(number, max);
  if (share === null || max === null) return plain(inUnit(number, unit));
  const hasOf = !isShort && (isMilli(unit) || isBytes(unit));
  return {
    kind: 'text',
    text: `${Math.round((number / max) * 100)}%`,
    of: hasOf ? inUnit(max, unit) : null,
    share,
    isHigh: isHighShare(number, max),
  };
}

function linkTo(url: string): PropertyLink {
  return { url, label: url.replace(/^https:\/\//i, ''), tooltip: url };
}

/** The rules that go by the property's type or name; null where none of them fits. */
function byType(property: ComponentProperty): ShownProperty | null {
  const { name, type, text, value } = property;
  if ((TIMES.has(name) || type === 'age') && text !== null) return { kind: 'age', at: text };
  if (type === 'url') {
    const url = webAddress(text ?? value);
    if (url !== null) return { kind: 'links', links: [linkTo(url)] };
  }
  const number = numberIn(property);
  if (number === null) return null;
  if (type === 'currency') return plain(formatAmount(number));
  if ((name === 'cpu' || name === 'memory') && value !== null) return usage(number, property);
  return property.unit === 'percent' ? plain(`${Number((number * 100).toFixed(2))}%`) : null;
}

/** Null for what isn't shown. `isShort`: where there is little room. */
export function shownProperty(property: ComponentProperty, { isShort = false } = {}): ShownProperty | null {
  const { type, text, value, links } = property;
  if (type === 'hidden') return null;
  const hasLinks = links.length > 0;
  if (text === null && value === null) return hasLinks ? { kind: 'links', links } : null;
  const isText = type === null || type === 'text';
  return (
    byType(property) ??
    (isText && value === null && hasLinks ? { kind: 'links', links } : byDefault(property, { isShort }))
  );
}
