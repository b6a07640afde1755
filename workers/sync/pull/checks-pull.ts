/**
 * Replicates checks through nothing but the contract's data API (design §4 law 16): a first load that is
 * swapped in whole, then keyset pulls by `updated_at` and `deleted_at` with an overlap, and an id sweep that
 * finds what no cursor can: hard deletes, rows that lost their permission, rows that became visible late.
 * Invariant: the cursor moves only after what it covers is durable.
 */
import { checkSchema } from '../../../src/contract/http/canary.ts';
import type { Check } from '../../../src/domain/check/check.ts';
import type { KeyValue } from '../../store/key-value.ts';
import { wholeMark } from '../../store/store-facts.ts';
import type { Announce } from '../tabs/announcer.ts';
import type { DataApi } from '../network/data-api.ts';
import type { ReplicaRows } from './replica-rows.ts';
import { keysetPages } from './keyset-pages.ts';
import { createRowParser, type RowParser } from './row-parser.ts';

/** A row becomes visible at commit, some time after the instant it carries; this much later is still seen. */
const OVERLAP_MS = 10_000;
const EPOCH = new Date(0).toISOString();
const CURSOR = 'cursor:checks';
const WHOLE = wholeMark('checks');
const TABLE = 'check_summary';
/** Ids to one question, so that its URL stays well under what proxies take. */
const IDS_PER_QUESTION = 50;

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(b) > Date.parse(a) ? b : a;
}

function before(instant: string, overlapMs: number): string {
  return new Date(Date.parse(instant) - overlapMs).toISOString();
}

function newestOf(rows: readonly Check[], start: string | null): string | null {
  return rows.reduce<string | null>((newest, row) => later(newest, row.updated_at), start);
}

function idAndChange(row: unknown): { id: string; updatedAt: string | null } | null {
  if (typeof row !== 'object' || row === null || !('id' in row) || typeof row.id !== 'string') return null;
  const updatedAt = 'updated_at' in row && typeof row.updated_at === 'string' ? row.updated_at : null;
  return { id: row.id, updatedAt };
}

export interface ChecksPullParts {
  api: DataApi;
  kept: ReplicaRows<Check>;
  meta: KeyValue;
  announce: Announce;
  report: (error: unknown) => void;
}

const LIVE = [{ column: 'deleted_at', operator: 'is', value: 'null' }] as const;

/** One for a store; its position is kept with the store's facts. */
export class ChecksPull {
  private readonly parts: ChecksPullParts;
  private readonly parse: RowParser<Check>;

  constructor(parts: ChecksPullParts) {
    this.parts = parts;
    this.parse = createRowParser('checks', checkSchema, parts.report);
  }

  /** True once a first load was swapped in. */
  async isWhole(): Promise<boolean> {
    return (await this.parts.meta.get(WHOLE)) === true;
  }

  /** Reads every live check and swaps them in whole; cut short, nothing has changed for the readers. */
  async firstLoad(signal: AbortSignal, onProgress: (done: number | null) => void): Promise<void> {
    const { api, kept, meta, announce } = this.parts;
    // What changes while the pages are read is behind this mark, and read again by the first pull.
    const mark = this.newestOnServer(signal);
    mark.catch(() => null);
    const rows: Check[] = [];
    for await (const page of keysetPages(api, { table: TABLE, where: LIVE, keys: ['id'], signal })) {
      rows.push(...this.parse(page.rows));
      onProgress(page.done);
    }
    const cursor = await mark;
    await meta.set(WHOLE, false);
    await kept.replaceAll(rows);
    await meta.set(CURSOR, cursor);
    await meta.set(WHOLE, true);
    announce('checks', { isReset: true });
  }

  /** Reads what changed or was deleted since; returns the ids of checks that differ now. */
  async pull(signal: AbortSignal): Promise<string[]> {
    const { api, meta } = this.parts;
    const cursor = await this.cursor();
    const since = before(cursor ?? EPOCH, OVERLAP_MS);
    const changed: string[] = [];
    let newest = cursor;
    const logic = `or(updated_at.gte.${since},deleted_at.gte.${since})`;
    for await (const page of keysetPages(api, { table: TABLE, logic, keys: ['updated_at', 'id'], signal })) {
      const rows = this.parse(page.rows);
      changed.push(...(await this.merge(rows)));
      newest = newestOf(rows, newest);
    }
    if (newest !== cursor) await meta.set(CURSOR, newest);
    return changed;
  }

  /** Compares all ids and their times with the server's; returns the ids of checks that differ now. */
  async sweep(signal: AbortSignal): Promise<string[]> {
    const { api, kept } = this.parts;
    const known = await kept.known();
    const onServer = new Set<string>();
    const wanted: string[] = [];
    const question = { table: TABLE, select: 'id,updated_at', where: LIVE, keys: ['id'] as const, signal };
    for await (const page of keysetPages(api, question)) {
      for (const row of page.rows) {
        const facts = idAndChange(row);
        if (facts === null) continue;
        onServer.add(facts.id);
        if (known.get(facts.id)?.updatedAt !== facts.updatedAt) wanted.push(facts.id);
      }
    }
    const gone = [...known.keys()].filter((id) => !onServer.has(id));
    return [...(await kept.merge([], gone)), ...(await this.fetchByIds(wanted, signal))];
  }

  private async newestOnServer(signal: AbortSignal): Promise<string | null> {
    const { rows } = await this.parts.api.page({
      table: TABLE,
      select: 'id,updated_at',
      where: [{ column: 'updated_at', operator: 'gte', value: EPOCH }],
      order: [{ column: 'updated_at', isDescending: true }],
      limit: 1,
      signal,
    });
    return idAndChange(rows[0])?.updatedAt ?? null;
  }

  private async cursor(): Promise<string | null> {
    const value = await this.parts.meta.get(CURSOR);
    return typeof value === 'string' ? value : null;
  }

  private merge(rows: readonly Check[]): Promise<string[]> {
    const live = rows.filter((row) => row.deleted_at === null);
    const gone = rows.filter((row) => row.deleted_at !== null).map((row) => row.id);
    return this.parts.kept.merge(live, gone);
  }

  private async fetchByIds(ids: readonly string[], signal: AbortSignal): Promise<string[]> {
    const changed: string[] = [];
    for (let at = 0; at < ids.length; at += IDS_PER_QUESTION) {
      const some = ids.slice(at, at + IDS_PER_QUESTION);
      const where = [{ column: 'id', operator: 'in', value: `(${some.join(',')})` } as const];
      const { rows } = await this.parts.api.page({ table: TABLE, where, signal });
      changed.push(...(await this.merge(this.parse(rows))));
    }
    return changed;
  }
}
