/**
 * Label selectors (schema §5.1): `k=v`, `k==v`, `k!=v`, `k in (a,b)`, `k notin (a,b)`, `k` (has it), `!k` (lacks
 * it), joined by commas that all count. A key that is missing satisfies `!=` and `notin`.
 */
export interface LabelRequirement {
  key: string;
  operator: 'in' | 'notin' | 'exists' | 'missing';
  values: readonly string[];
}

const KEY = String.raw`[^\s=!,()]+`;
const SET = new RegExp(String.raw`^(${KEY})\s+(in|notin)\s*\(([^()]*)\)$`);
const PAIR = new RegExp(String.raw`^(${KEY})\s*(!=|==|=)(.*)$`, 's');
const PRESENCE = new RegExp(String.raw`^(!?)\s*(${KEY})$`);

/** Splits at the commas outside of parentheses. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let end = text.length;
  // From the end: a comma is within a list when the next bracket behind it closes one.
  let isWithin = false;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const sign = text.charAt(at);
    if (sign === '(' || sign === ')') isWithin = sign === ')';
    if (sign !== ',' || isWithin) continue;
    parts.push(text.slice(at + 1, end));
    end = at;
  }
  parts.push(text.slice(0, end));
  return parts
    .toReversed()
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function parseRequirement(part: string): LabelRequirement | null {
  const [, setKey, setOperator, list] = SET.exec(part) ?? [];
  if (setKey !== undefined) {
    const values = (list ?? '').split(',').map((value) => value.trim());
    return { key: setKey, operator: setOperator === 'in' ? 'in' : 'notin', values };
  }
  const [, pairKey, sign, value] = PAIR.exec(part) ?? [];
  if (pairKey !== undefined) {
    return { key: pairKey, operator: sign === '!=' ? 'notin' : 'in', values: [(value ?? '').trim()] };
  }
  const [, bang, key] = PRESENCE.exec(part) ?? [];
  if (key === undefined) return null;
  return { key, operator: bang === '!' ? 'missing' : 'exists', values: [] };
}

export type ParsedSelector = { ok: true; requirements: LabelRequirement[] } | { ok: false; part: string };

/** The requirements of the text, or the first part that is none. */
export function parseLabelSelector(text: string): ParsedSelector {
  const requirements: LabelRequirement[] = [];
  for (const part of splitParts(text)) {
    const requirement = parseRequirement(part);
    if (requirement === null) return { ok: false, part };
    requirements.push(requirement);
  }
  return { ok: true, requirements };
}

/** Whether the labels satisfy every requirement. */
export function matchesLabels(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, unknown>> | null,
): boolean {
  return requirements.every(({ key, operator, values }) => {
    const value = labels !== null && Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case 'exists':
        return value !== undefined;
      case 'missing':
        return value === undefined;
      case 'in':
        return typeof value === 'string' && values.includes(value);
      case 'notin':
        return !(typeof value === 'string' && values.includes(value));
    }
  });
}
