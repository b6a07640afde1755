/**
 * Reads from a view's stored query tree which column of which relation each of its columns shows. PostgreSQL
 * keeps that in the tree only (`resorigtbl`, `resorigcol` of the top target list); dependencies in pg_depend do
 * not say which column became which.
 */
export interface TargetOrigin {
  /** Position among the view's columns, from 1. */
  position: number;
  relationOid: number;
  columnNumber: number;
}

const ENTRY = /:resno (\d+) .*:resorigtbl (\d+) :resorigcol (\d+) :resjunk false/s;
/** `({QUERY …{TARGETENTRY …}…})`: the view's own entries stand directly in the outermost node. */
const ENTRY_DEPTH = 2;

/** Origins of the columns that show one unchanged; computed columns are left out. */
export function parseViewOrigins(tree: string): TargetOrigin[] {
  const origins: TargetOrigin[] = [];
  let depth = 0;
  let entry: string | null = null;
  for (let position = 0; position < tree.length; position += 1) {
    const character = tree.charAt(position);
    if (character === '\\') {
      // The next character is text, whatever it is.
      position += 1;
      continue;
    }
    if (character === '{') {
      depth += 1;
      if (depth === ENTRY_DEPTH && tree.startsWith('{TARGETENTRY', position)) entry = '';
    } else if (character === '}') {
      if (depth === ENTRY_DEPTH && entry !== null) origins.push(...parseEntry(entry));
      if (depth === ENTRY_DEPTH) entry = null;
      depth -= 1;
    } else if (depth === ENTRY_DEPTH && entry !== null) entry += character;
  }
  return origins;
}

function parseEntry(text: string): TargetOrigin[] {
  const [, position, relationOid, columnNumber] = ENTRY.exec(text) ?? [];
  if (relationOid === undefined || relationOid === '0') return [];
  return [
    { position: Number(position), relationOid: Number(relationOid), columnNumber: Number(columnNumber) },
  ];
}
