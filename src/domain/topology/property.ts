/** A component's properties as they are stored (schema §6.3): anything a lookup wrote, read with care. */
import { isRecord } from '../../lib/is-record.ts';
import { healthOfWord } from '../check/health.ts';
import { isHealthWord } from './component-health.ts';

export interface PropertyLink {
  /** Only addresses that a browser opens as a page. */
  url: string;
  label: string;
  /** What is said of it besides; its address where nothing is. */
  tooltip: string;
}

export interface ComponentProperty {
  name: string;
  label: string | null;
  namespace: string | null;
  type: string | null;
  text: string | null;
  value: number | string | null;
  unit: string | null;
  max: number | null;
  /** Its own, else that of its status, which is a word of health. */
  color: string | null;
  icon: string | null;
  /** What is said of it besides. */
  tooltip: string | null;
  isHeadline: boolean;
  links: readonly PropertyLink[];
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** An address of the web; null for anything else. */
export function webAddress(url: unknown): string | null {
  return typeof url === 'string' && /^https?:\/\//i.test(url) ? url : null;
}

const withoutScheme = (url: string) => url.replace(/^https?:\/\//i, '');

function linksOf(property: Record<string, unknown>): PropertyLink[] {
  const all: unknown[] = Array.isArray(property.links) ? property.links : [];
  const found = all.flatMap((link): PropertyLink[] => {
    const url = isRecord(link) ? webAddress(link.url) : null;
    if (url === null || !isRecord(link)) return [];
    const label = textOf(link.label) ?? textOf(link.text) ?? textOf(link.type);
    return [{ url, label: label ?? withoutScheme(url), tooltip: textOf(link.tooltip) ?? url }];
  });
  const own = webAddress(property.url);
  if (own !== null && found.length === 0)
    found.push({ url: own, label: textOf(property.text) ?? withoutScheme(own), tooltip: own });
  return found;
}

const placeOf = ({ order }: Record<string, unknown>) => numberOf(order) ?? Number.POSITIVE_INFINITY;

/** Those to which a place is given (schema §6.3, `order`) come first. */
function inPlace(properties: Record<string, unknown>[]): Record<string, unknown>[] {
  if (properties.every(({ order }) => order === undefined)) return properties;
  return properties.toSorted((a, b) => Number(placeOf(a) > placeOf(b)) - Number(placeOf(a) < placeOf(b)));
}

const COLORS = { healthy: 'green', warning: 'orange', unhealthy: 'red', unknown: null } as const;

/** Of a word of health; of any other, none. */
function colorOf(status: unknown): string | null {
  const word = textOf(status);
  return word !== null && isHealthWord(word) ? COLORS[healthOfWord(word)] : null;
}

/** The properties of a row's column, in their order. */
export function propertiesOf(column: unknown): ComponentProperty[] {
  if (!Array.isArray(column)) return [];
  return inPlace(column.filter(isRecord)).map((property) => ({
    name: textOf(property.name) ?? textOf(property.label) ?? '',
    label: textOf(property.label),
    namespace: textOf(property.namespace),
    type: textOf(property.type),
    text: typeof property.text === 'number' ? String(property.text) : textOf(property.text),
    value: numberOf(property.value) ?? textOf(property.value),
    unit: textOf(property.unit),
    max: numberOf(property.max),
    color: textOf(property.color) ?? colorOf(property.status),
    icon: textOf(property.icon),
    tooltip: textOf(property.tooltip),
    isHeadline: property.headline === true,
    links: linksOf(property),
  }));
}
