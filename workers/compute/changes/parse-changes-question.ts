/** Parses a question over changes; by hand for the same reason as parse-question.ts, held to the contract by a test. */
import { isRecord } from '../../../src/lib/is-record.ts';
import {
  CHANGE_SORTS,
  NO_QUESTION,
  REACHES,
  type ChangesQuestion,
} from '../../../src/domain/catalog/changes-search.ts';
import { flag, refuse, text } from '../question-fields.ts';

const MAX_TEXT_CHARS = 10_000;
const MAX_PAGE_ROWS = 1000;

function short(value: unknown, field: string): string {
  const found = text(value, field);
  return found.length <= MAX_TEXT_CHARS ? found : refuse(field);
}

function whole(value: unknown, field: string, limit: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= limit
    ? value
    : refuse(field);
}

export function parseChangesQuestion(value: unknown): ChangesQuestion {
  if (!isRecord(value)) return refuse('form');
  const sort = text(value.sort_by, 'sort_by');
  return {
    id: short(value.id, 'id'),
    recursive: REACHES.find((reach) => reach === value.recursive) ?? refuse('recursive'),
    depth: value.depth === NO_QUESTION.depth ? value.depth : refuse('depth'),
    include_deleted_configs: flag(value.include_deleted_configs, 'include_deleted_configs'),
    config_type: short(value.config_type, 'config_type'),
    type: short(value.type, 'type'),
    severity: short(value.severity, 'severity'),
    summary: short(value.summary, 'summary'),
    source: short(value.source, 'source'),
    created_by: short(value.created_by, 'created_by'),
    tags: short(value.tags, 'tags'),
    from: short(value.from, 'from'),
    to: short(value.to, 'to'),
    page: whole(value.page, 'page', 1_000_000),
    page_size: whole(value.page_size, 'page_size', MAX_PAGE_ROWS),
    sort_by: CHANGE_SORTS.some((column) => sort.replace(/^-/, '') === column) ? sort : refuse('sort_by'),
  };
}
