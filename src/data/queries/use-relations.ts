import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type {
  RelationRow,
  RelationsFrame,
  RelationsPatch,
  RelationsPicture,
  RelationsQuestion,
} from '../../contract/relations.ts';
import { dataClient } from '../client/data-client.ts';
import { createLiveValue } from '../client/live-value.ts';
import { callback } from '../client/workers-proxy.ts';

export interface RelationsAnswer {
  /** Null until there is an answer. */
  frame: RelationsFrame | null;
  /** Index of the first of `rows` among all that pass. */
  start: number;
  rows: readonly RelationRow[];
  picture: RelationsPicture | null;
}

const NOTHING_YET: RelationsAnswer = { frame: null, start: 0, rows: [], picture: null };

/** What is known together with a difference to it. */
function patched(known: RelationsAnswer, patch: RelationsPatch): RelationsAnswer {
  return {
    frame: patch.frame ?? known.frame,
    start: patch.rows?.start ?? known.start,
    rows: patch.rows?.rows ?? known.rows,
    picture: patch.picture ?? known.picture,
  };
}

/**
 * What a config item is related to, live and from this device. A changed question keeps showing the old answer
 * until the new one is there; a question about another item doesn't.
 */
export function useRelations(question: RelationsQuestion): RelationsAnswer {
  const [lease] = useState(createLease);
  const text = JSON.stringify(question);
  // Before the browser paints, so that the answer can be in the very next frame.
  useLayoutEffect(() => {
    lease.ask(JSON.parse(text) as RelationsQuestion);
  }, [lease, text]);
  return useSyncExternalStore(lease.subscribe, lease.get);
}

interface Opened {
  set: (question: RelationsQuestion) => void;
  close: () => void;
}

function open(first: RelationsQuestion, publish: (answer: RelationsAnswer) => void): Opened {
  const client = dataClient();
  let isOpen = true;
  let asked = 0;
  let text = JSON.stringify(first);
  let known = NOTHING_YET;
  const handle = client.doors.compute.openRelations(
    first,
    callback((patch: RelationsPatch) => {
      if (!isOpen) return;
      // Differences build on each other, but what answers a replaced question would flash.
      known = patched(known, patch);
      if (patch.generation === asked) publish(known);
    }),
  );
  const close = client.closeOnLeave({
    close: () => {
      isOpen = false;
      client.tell(handle, (opened) => opened.close());
    },
  });
  return {
    set(question) {
      const next = JSON.stringify(question);
      if (next === text) return;
      text = next;
      asked += 1;
      client.tell(handle, (opened) => opened.setQuestion(question));
    },
    close,
  };
}

/** One component's question: closed when nobody listens any more, opened again if one comes back (strict mode). */
function createLease() {
  const answer = createLiveValue<RelationsAnswer>(NOTHING_YET);
  let question: RelationsQuestion | null = null;
  let opened: Opened | null = null;
  const ensureOpen = () => {
    if (question !== null) opened ??= open(question, answer.set);
  };
  return {
    get: answer.get,
    ask: (next: RelationsQuestion) => {
      if (question !== null && question.configId !== next.configId) answer.set(NOTHING_YET);
      question = next;
      ensureOpen();
      opened?.set(next);
    },
    subscribe: (listener: () => void) => {
      ensureOpen();
      const stop = answer.subscribe(listener);
      return () => {
        stop();
        opened?.close();
        opened = null;
      };
    },
  };
}
