/** Reads a time written in a layout of Go's reference date (2006-01-02 15:04:05). */

const FIELDS: readonly (readonly [string, string, string])[] = [
  ['2006', 'year', String.raw`\d{4}`],
  ['01', 'month', String.raw`\d{2}`],
  ['02', 'day', String.raw`\d{2}`],
  ['15', 'hour', String.raw`\d{2}`],
  ['04', 'minute', String.raw`\d{2}`],
  ['05', 'second', String.raw`\d{2}`],
];

/** The moment (UTC when the layout has no zone); throws when the text doesn't fit the layout. */
export function parseGoTime(layout: string, text: string): Date {
  if (layout.includes('Z07:00')) return valid(new Date(text), layout, text);
  let pattern = layout.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  for (const [token, name, digits] of FIELDS) pattern = pattern.replace(token, `(?<${name}>${digits})`);
  const found = new RegExp(`^${pattern}$`).exec(text)?.groups;
  if (found === undefined) throw new Error(`"${text}" does not fit the layout "${layout}"`);
  const part = (name: string, missing: number) => (found[name] === undefined ? missing : Number(found[name]));
  const date = Date.UTC(part('year', 1970), part('month', 1) - 1, part('day', 1));
  const ms = (part('hour', 0) * 3600 + part('minute', 0) * 60 + part('second', 0)) * 1000;
  return valid(new Date(date + ms), layout, text);
}

function valid(date: Date, layout: string, text: string): Date {
  if (Number.isNaN(date.getTime())) throw new Error(`"${text}" does not fit the layout "${layout}"`);
  return date;
}
