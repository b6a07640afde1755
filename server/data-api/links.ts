/** Finds how an embedded relation hangs on the one that embeds it: by foreign key, or through a join table. */
import { DataApiError, clip } from './api-error.ts';
import type { Catalogue, ForeignKey, Relation } from './catalogue.ts';

/** Column pairs that must be equal. */
export interface Join {
  left: readonly string[];
  right: readonly string[];
}

export type Link =
  | { kind: 'to-one' | 'to-many'; target: Relation; join: Join }
  | { kind: 'many-to-many'; target: Relation; junction: Relation; toJunction: Join; toTarget: Join };

export interface LinkQuestion {
  source: Relation;
  /** A relation's name, or the column of a foreign key of the source. */
  name: string;
  /** A constraint, a foreign key's column or a join table, where several ways lead to the target. */
  hint: string | null;
}

function matchesHint(key: ForeignKey, hint: string | null): boolean {
  return hint === null || key.name === hint || (key.fromColumns.length === 1 && key.fromColumns[0] === hint);
}

function distinct(links: readonly Link[]): Link[] {
  return [
    ...new Map(
      links.map((link) => [
        JSON.stringify([link.kind, link.target.name, 'join' in link ? link.join : null]),
        link,
      ]),
    ).values(),
  ];
}

function directLinks(catalogue: Catalogue, { source, name, hint }: LinkQuestion): Link[] {
  const target = catalogue.relations.get(name);
  if (target === undefined) return [];
  const keys = catalogue.foreignKeys.filter((key) => matchesHint(key, hint));
  const toMany = keys
    .filter((key) => key.from === name && key.to === source.name)
    .map((key): Link => ({ kind: 'to-many', target, join: { left: key.toColumns, right: key.fromColumns } }));
  // A relation that points at itself is named for its children; the parent is asked for by column.
  if (target === source) return distinct(toMany);
  const toOne = keys
    .filter((key) => key.from === source.name && key.to === name)
    .map((key): Link => ({ kind: 'to-one', target, join: { left: key.fromColumns, right: key.toColumns } }));
  return distinct([...toOne, ...toMany]);
}

function columnLinks(catalogue: Catalogue, { source, name, hint }: LinkQuestion): Link[] {
  const keys = catalogue.foreignKeys.filter(
    (key) =>
      key.from === source.name &&
      (key.name === name || (key.fromColumns.length === 1 && key.fromColumns[0] === name)) &&
      matchesHint(key, hint),
  );
  return distinct(
    keys.flatMap((key): Link[] => {
      const target = catalogue.relations.get(key.to);
      if (target?.isTable !== true) return [];
      return [{ kind: 'to-one', target, join: { left: key.fromColumns, right: key.toColumns } }];
    }),
  );
}

/** A join table is one of which some unique key covers both foreign keys. */
function isJunction(junction: Relation, columns: readonly string[]): boolean {
  return (
    junction.isTable && junction.uniqueKeys.some((key) => columns.every((column) => key.includes(column)))
  );
}

function junctionLinks(catalogue: Catalogue, { source, name, hint }: LinkQuestion): Link[] {
  const target = catalogue.relations.get(name);
  if (target === undefined) return [];
  const inward = catalogue.foreignKeys.filter((key) => key.to === source.name);
  const outward = catalogue.foreignKeys.filter((key) => key.to === name);
  return inward.flatMap((near) =>
    outward.flatMap((far): Link[] => {
      const junction = catalogue.relations.get(near.from);
      if (
        far.from !== near.from ||
        junction === undefined ||
        far.fromColumns.join() === near.fromColumns.join()
      )
        return [];
      if (hint !== null && hint !== junction.name && hint !== near.name && hint !== far.name) return [];
      if (!isJunction(junction, [...near.fromColumns, ...far.fromColumns])) return [];
      return [
        {
          kind: 'many-to-many',
          target,
          junction,
          toJunction: { left: near.toColumns, right: near.fromColumns },
          toTarget: { left: far.fromColumns, right: far.toColumns },
        },
      ];
    }),
  );
}

/** The one link, or the contract's error when there is none or more than one. */
export function findLink(catalogue: Catalogue, question: LinkQuestion): Link {
  const ways = [directLinks, columnLinks, junctionLinks];
  for (const findLinks of ways) {
    const [link, second] = findLinks(catalogue, question);
    if (second !== undefined) {
      throw new DataApiError(400, {
        code: 'PGRST201',
        message: `Could not embed because more than one relationship was found for '${question.source.name}' and '${clip(question.name)}'`,
        hint: 'Name a foreign key: relation!constraint(…) or its column: column(…)',
      });
    }
    if (link !== undefined) return link;
  }
  throw new DataApiError(400, {
    code: 'PGRST200',
    message: `Could not find a relationship between '${question.source.name}' and '${clip(question.name)}'`,
  });
}
