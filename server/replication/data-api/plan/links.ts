/**
 * Finds how an embedded relation hangs on the one that embeds it: by foreign key, or through a join table.
 * A relation may be named by itself, by a foreign key of the embedding one or by the only column of such a key;
 * a hint narrows the ways down. More than one way left is an error that lists them.
 */
import { DataApiError, clip } from '../parse/api-error.ts';
import type { Catalogue, ForeignKey, Relation } from '../catalogue/catalogue.ts';
import { closestName } from '../parse/closest-name.ts';

/** Column pairs that must be equal. */
export interface Join {
  left: readonly string[];
  right: readonly string[];
}

interface DirectLink {
  kind: 'to-one' | 'to-many';
  target: Relation;
  join: Join;
  key: ForeignKey;
}

interface JunctionLink {
  kind: 'many-to-many';
  target: Relation;
  junction: Relation;
  toJunction: Join;
  toTarget: Join;
  near: ForeignKey;
  far: ForeignKey;
}

export type Link = DirectLink | JunctionLink;

export interface LinkQuestion {
  source: Relation;
  /** A relation's name, a foreign key of the source or its column. */
  name: string;
  /** A constraint, a foreign key's column on either end or a join table. */
  hint: string | null;
}

const isOnly = (columns: readonly string[], name: string) => columns.length === 1 && columns[0] === name;

function outward(catalogue: Catalogue, source: Relation): DirectLink[] {
  return catalogue.foreignKeys.flatMap((key): DirectLink[] => {
    const target = key.from === source.name ? catalogue.relations.get(key.to) : undefined;
    if (target === undefined) return [];
    return [{ kind: 'to-one', target, join: { left: key.fromColumns, right: key.toColumns }, key }];
  });
}

function inward(catalogue: Catalogue, source: Relation): DirectLink[] {
  return catalogue.foreignKeys.flatMap((key): DirectLink[] => {
    const target = key.to === source.name ? catalogue.relations.get(key.from) : undefined;
    if (target === undefined) return [];
    const kind = key.isOneToOne ? 'to-one' : 'to-many';
    return [{ kind, target, join: { left: key.toColumns, right: key.fromColumns }, key }];
  });
}

/** A join table holds both foreign keys in one key of its own. */
function coversBoth(keys: readonly (readonly string[])[], near: ForeignKey, far: ForeignKey): boolean {
  const columns = [...near.fromColumns, ...far.fromColumns];
  return keys.some((key) => columns.every((column) => key.includes(column)));
}

function junctionLinks(catalogue: Catalogue, { source, name }: LinkQuestion): JunctionLink[] {
  const target = catalogue.relations.get(name);
  if (target === undefined) return [];
  return catalogue.foreignKeys
    .filter((near) => near.to === source.name)
    .flatMap((near) =>
      catalogue.foreignKeys.flatMap((far): JunctionLink[] => {
        const junction = catalogue.relations.get(near.from);
        if (far.to !== name || far.from !== near.from || junction === undefined) return [];
        if (far.name === near.name && far.fromColumns.join() === near.fromColumns.join()) return [];
        return [
          {
            kind: 'many-to-many',
            target,
            junction,
            toJunction: { left: near.toColumns, right: near.fromColumns },
            toTarget: { left: far.fromColumns, right: far.toColumns },
            near,
            far,
          },
        ];
      }),
    );
}

function matchesName(link: DirectLink, source: Relation, name: string): boolean {
  if (link.target.name === name) return true;
  // Named by key or column, the target is the table, not the views that show it.
  if (!link.target.isTable) return false;
  if (link.key.from === source.name && isOnly(link.join.left, name)) return link.kind === 'to-one';
  return link.key.name === name;
}

function matchesHint(link: Link, hint: string): boolean {
  if (link.kind === 'many-to-many') return [link.junction.name, link.near.name, link.far.name].includes(hint);
  return link.key.name === hint || isOnly(link.join.left, hint) || isOnly(link.join.right, hint);
}

function distinct<L extends Link>(links: readonly L[]): L[] {
  const identity = (link: Link) =>
    link.kind === 'many-to-many'
      ? [link.junction.name, link.toJunction, link.toTarget]
      : [link.kind, link.key.from === link.target.name, link.target.name, link.join];
  return [...new Map(links.map((link) => [JSON.stringify(identity(link)), link])).values()];
}

/**
 * Of a key that points at its own table: by the table's name, with a hint or without, the children are meant, by the
 * column's name the parent.
 */
function directLinks(catalogue: Catalogue, { source, name }: LinkQuestion): DirectLink[] {
  const out = outward(catalogue, source).filter((link) => matchesName(link, source, name));
  const into = inward(catalogue, source).filter((link) => matchesName(link, source, name));
  const isSelf = (link: DirectLink) => link.key.from === link.key.to;
  const outKept = out.filter((link) => !isSelf(link) || isOnly(link.join.left, name));
  const intoKept = into.filter((link) => !isSelf(link) || !isOnly(link.join.right, name));
  return [...outKept, ...intoKept];
}

function candidates(catalogue: Catalogue, question: LinkQuestion): Link[] {
  const fits = (link: Link) => question.hint === null || matchesHint(link, question.hint);
  const direct = distinct(directLinks(catalogue, question).filter(fits));
  const through = junctionLinks(catalogue, question).filter(fits);
  const ownKey = through.filter(
    ({ junction, near, far }) => junction.isTable && coversBoth([junction.primaryKey], near, far),
  );
  const found: Link[] = [...direct, ...distinct(ownKey)];
  if (found.length > 0) return found;
  // Only where nothing else leads there: a join table by another key of its own, or a view of one.
  const looser = distinct(
    through.filter(({ junction, near, far }) =>
      coversBoth([junction.primaryKey, ...junction.uniqueKeys], near, far),
    ),
  );
  const tables = looser.filter((link) => link.junction.isTable);
  return tables.length > 0 ? tables : looser;
}

const listed = (columns: readonly string[]) => `(${columns.join(', ')})`;

function describeLink(source: Relation, link: Link): object {
  const embedding = `${source.name} with ${link.target.name}`;
  if (link.kind === 'many-to-many') {
    const { near, far } = link;
    return {
      cardinality: 'many-to-many',
      embedding,
      relationship: `${link.junction.name} using ${near.name}${listed(near.fromColumns)} and ${far.name}${listed(far.fromColumns)}`,
    };
  }
  const isOut = link.key.from === source.name && link.join.left === link.key.fromColumns;
  const cardinality = link.key.isOneToOne ? 'one-to-one' : isOut ? 'many-to-one' : 'one-to-many';
  return {
    cardinality,
    embedding,
    relationship: `${link.key.name} using ${source.name}${listed(link.join.left)} and ${link.target.name}${listed(link.join.right)}`,
  };
}

function ambiguous({ source, name }: LinkQuestion, links: readonly Link[]): DataApiError {
  const ways = links.map(
    (link) => `'${link.target.name}!${link.kind === 'many-to-many' ? link.junction.name : link.key.name}'`,
  );
  return new DataApiError(300, {
    code: 'PGRST201',
    message: `Could not embed because more than one relationship was found for '${source.name}' and '${name}'`,
    details: links.map((link) => describeLink(source, link)),
    hint: `Try changing '${name}' to one of the following: ${ways.join(', ')}. Find the desired relationship in the 'details' key.`,
  });
}

function unrelated(catalogue: Catalogue, { source, name, hint }: LinkQuestion): DataApiError {
  const near = [...outward(catalogue, source), ...inward(catalogue, source)].map((link) => link.target.name);
  const closest = near.includes(name) || !catalogue.isOpen ? null : closestName(name, near);
  const using = hint === null ? '' : `' using the hint '${clip(hint)}`;
  return new DataApiError(400, {
    code: 'PGRST200',
    message: `Could not find a relationship between '${source.name}' and '${clip(name)}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${source.name}' and '${clip(name)}${using}' in the schema '${catalogue.schema}', but no matches were found.`,
    hint: closest === null ? null : `Perhaps you meant '${closest}' instead of '${clip(name)}'.`,
  });
}

/** The one link, or the published error when there is none or more than one (spec of resource embedding). */
export function findLink(catalogue: Catalogue, question: LinkQuestion): Link {
  const links = candidates(catalogue, question);
  const [link, second] = links;
  if (link === undefined) throw unrelated(catalogue, question);
  if (second !== undefined) throw ambiguous(question, links);
  return link;
}
