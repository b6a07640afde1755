/** Opens a question over changes on the collections in memory; relationships are read only when they are needed. */
import type { LivePatch } from '../../../src/contract/live-query.ts';
import type { ChangesQuestion } from '../../../src/domain/catalog/changes-search.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import { createChangesView, type ChangesIndexes, type ChangesView } from './changes-view.ts';
import type { OpenQuery } from '../subscriptions/live-handler.ts';

const COLLECTIONS = {
  changes: 'config_changes',
  configs: 'configs',
  relationships: 'config_relationships',
} as const;

interface OpenChanges {
  live: LiveQueries;
  nowMs: () => number;
  question: ChangesQuestion;
  listener: (patch: LivePatch) => void;
}

/** Close it to leave the collections. */
export function openChanges({ live, nowMs, question, listener }: OpenChanges): OpenQuery<ChangesQuestion> {
  let view: ChangesView | null = null;
  let isOpen = true;
  const joined = new Map<keyof ChangesIndexes, ReturnType<LiveQueries['attend']>>();
  const join = (name: keyof ChangesIndexes) => {
    const known = joined.get(name);
    if (known !== undefined) return known.source.index;
    const opened = live.attend(COLLECTIONS[name], {
      hear: (changes) => view?.hear(name, changes),
      refresh: () => view?.refresh(),
    });
    joined.set(name, opened);
    return opened.source.index;
  };
  view = createChangesView({
    question,
    indexes: {
      changes: join('changes'),
      configs: join('configs'),
      relationships: () => join('relationships'),
    },
    isLoaded: () => [...joined.values()].every(({ source }) => source.isLoaded()),
    nowMs,
    listener,
  });
  return {
    update: (next) => {
      if (isOpen) view?.setQuestion(next);
    },
    close: () => {
      isOpen = false;
      for (const one of joined.values()) one.leave();
      joined.clear();
    },
  };
}
