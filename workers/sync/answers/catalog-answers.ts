/** What pages of the catalog ask for beyond what is replicated (contract §6.1, §6.5, §7). */
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import { changesAnswerSchema, type ChangesPage } from '../../../src/contract/http/config-changes.ts';
import {
  CHANGE_DETAIL_SELECT,
  changeDetailSchema,
  CONFIG_DETAIL_SELECT,
  configDetailSchema,
  linkedChecksSchema,
  linkedComponentsSchema,
  runnablePlaybooksSchema,
  type CatalogAnswer,
  type ChangeDetail,
  type ConfigDetail,
  type LinkedCheck,
  type LinkedComponent,
  type RunnablePlaybook,
} from '../../../src/contract/http/config-item.ts';
import { NO_QUESTION, type ChangesQuestion } from '../../../src/domain/catalog/changes-search.ts';
import { documentSource } from './document-source.ts';
import type { AnswerSource } from './kept-answers.ts';
import type { TableAnswerParts } from './table-answers.ts';
import type { PageQuestion } from '../network/data-api.ts';

async function oneRow(parts: TableAnswerParts, question: PageQuestion): Promise<unknown> {
  const [row] = (await parts.api.page(question)).rows;
  if (row === undefined) throw new AppError('not_found', ERROR_TEXTS.not_found, { status: 404 });
  return row;
}

const byId = (id: string) => [{ column: 'id', operator: 'eq' as const, value: id }];

/** An item with its body. */
export function configDetailSource(parts: TableAnswerParts, id: string): AnswerSource<ConfigDetail> {
  return documentSource({
    id: `config_detail:${id}`,
    schema: configDetailSchema,
    shelf: parts.shelf,
    serverNow: parts.serverNow,
    fetch: (signal) =>
      oneRow(parts, { table: 'config_detail', select: CONFIG_DETAIL_SELECT, where: byId(id), signal }),
  });
}

/** A change with its diff. */
export function changeDetailSource(parts: TableAnswerParts, id: string): AnswerSource<ChangeDetail> {
  return documentSource({
    id: `config_change:${id}`,
    schema: changeDetailSchema,
    shelf: parts.shelf,
    serverNow: parts.serverNow,
    fetch: (signal) =>
      oneRow(parts, { table: 'config_changes', select: CHANGE_DETAIL_SELECT, where: byId(id), signal }),
  });
}

/** Only what is asked: the contract's server takes an empty text for a filter in some places. */
function bodyOf(question: ChangesQuestion): Record<string, unknown> {
  return Object.fromEntries(Object.entries(question).filter(([, value]) => value !== ''));
}

/** What a question is kept under: parts that say what they always say are left out. */
function changesKey(question: ChangesQuestion): string {
  const parts = Object.entries(question).filter(
    ([key, value]) => value !== NO_QUESTION[key as keyof ChangesQuestion],
  );
  return `changes:${JSON.stringify(Object.fromEntries(parts))}`;
}

/** A page of the search over changes. */
export function changesSource(parts: TableAnswerParts, question: ChangesQuestion): AnswerSource<ChangesPage> {
  return documentSource({
    id: changesKey(question),
    schema: changesAnswerSchema,
    shelf: parts.shelf,
    serverNow: parts.serverNow,
    fetch: (signal) =>
      parts.http.json({ path: '/api/catalog/changes', method: 'POST', body: bodyOf(question), signal }),
  });
}

/** The playbooks that may run on an item. */
export function runnablePlaybooksSource(
  parts: TableAnswerParts,
  id: string,
): AnswerSource<RunnablePlaybook[]> {
  return documentSource({
    id: `config_playbooks:${id}`,
    schema: runnablePlaybooksSchema,
    shelf: parts.shelf,
    serverNow: parts.serverNow,
    fetch: (signal) =>
      parts.http.json({ path: `/api/playbook/list?config_id=${encodeURIComponent(id)}`, signal }),
  });
}

const MAX_LINKS = 500;

/** Live links of an item from one of the tables of links. */
async function linksOf(parts: TableAnswerParts, question: PageQuestion & { id: string }): Promise<unknown[]> {
  const { id, ...rest } = question;
  const page = await parts.api.page({
    ...rest,
    where: [
      { column: 'config_id', operator: 'eq', value: id },
      { column: 'deleted_at', operator: 'is', value: 'null' },
    ],
    limit: MAX_LINKS,
  });
  return page.rows;
}

/** The checks that are linked to an item. */
export function linkedChecksSource(parts: TableAnswerParts, id: string): AnswerSource<LinkedCheck[]> {
  return documentSource({
    id: `config_checks:${id}`,
    schema: linkedChecksSchema,
    shelf: parts.shelf,
    serverNow: parts.serverNow,
    fetch: (signal) =>
      linksOf(parts, {
        id,
        table: 'check_config_relationships',
        select: 'check_id,checks(id,name,type,status)',
        signal,
      }),
  });
}

/** The components that an item is linked to. */
export function linkedComponentsSource(parts: TableAnswerParts, id: string): AnswerSource<LinkedComponent[]> {
  return documentSource({
    id: `config_components:${id}`,
    schema: linkedComponentsSchema,
    shelf: parts.shelf,
    serverNow: parts.serverNow,
    fetch: (signal) =>
      linksOf(parts, {
        id,
        table: 'config_component_relationships',
        select: 'component_id,selector_id,components(id,name)',
        signal,
      }),
  });
}

/** What can be asked about one thing of the catalog, by its id. */
export const CATALOG_ANSWERS = {
  config: configDetailSource,
  change: changeDetailSource,
  playbooks: runnablePlaybooksSource,
  checks: linkedChecksSource,
  components: linkedComponentsSource,
} as const satisfies Readonly<Record<CatalogAnswer, unknown>>;
