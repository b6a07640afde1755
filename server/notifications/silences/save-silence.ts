/** A silence as it is stored, whoever asked for it: by the contract's call or by a command. Throws `SilenceRefused`. */
import type { z } from 'zod';
import type { silenceParts } from '../../../src/contract/http/notifications/silence.ts';
import { SILENCED, type SilencedColumn } from '../../../src/domain/notification/silenced-columns.ts';
import { silenceProblems } from '../../../src/domain/notification/silence-problems.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { insertSilence, resourceExists } from './silence-query.ts';

/** What can't be stored, and where. */
export class SilenceRefused extends Error {
  readonly field: string;
  /** What it is about isn't there (any more). */
  readonly isGone: boolean;

  constructor(field: string, message: string, isGone = false) {
    super(`${field}: ${message}`);
    this.name = 'SilenceRefused';
    this.field = field;
    this.isGone = isGone;
  }
}

export interface AskedSilence {
  id: string;
  parts: z.output<z.ZodObject<typeof silenceParts>>;
  fromAt: Date;
  untilAt: Date;
  createdBy: string;
}

const orNone = (text: string | null | undefined) => (text ?? '').trim() || null;

async function requireResources(
  db: Queryable,
  resources: Record<SilencedColumn, string | null>,
): Promise<void> {
  for (const column of SILENCED) {
    const id = resources[column];
    if (id !== null && !(await resourceExists(db, column, id)))
      throw new SilenceRefused(column, 'there is nothing with this id', true);
  }
}

/** Checks it as the form does, and writes it. */
export async function saveSilence(db: Queryable, asked: AskedSilence): Promise<void> {
  const { parts, fromAt, untilAt } = asked;
  const { config_id, component_id, check_id, canary_id } = parts;
  const resources = {
    config_id: config_id ?? null,
    component_id: component_id ?? null,
    check_id: check_id ?? null,
    canary_id: canary_id ?? null,
  };
  const more = {
    selector: orNone(parts.selector),
    filter: orNone(parts.filter),
    recurrence: (parts.recurrence ?? []).length === 0 ? null : (parts.recurrence ?? null),
  };
  const times = { from: fromAt.toISOString(), until: untilAt.toISOString() };
  const [problem] = silenceProblems({ ...resources, ...more, ...times }, true);
  if (problem !== undefined) throw new SilenceRefused(problem.field, problem.message);
  await requireResources(db, resources);
  await insertSilence(db, {
    ...more,
    id: asked.id,
    resources,
    fromAt,
    untilAt,
    description: parts.description ?? null,
    isRecursive: parts.recursive ?? false,
    createdBy: asked.createdBy,
  });
}
