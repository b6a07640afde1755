import { useMemo, useState } from 'react';
import type { GraphPicture } from './graph-picture.ts';
import { neighbourOf } from './graph-neighbours.ts';

interface FocusOptions {
  rootId: string;
  /** Brings a card into sight; only what is in sight is drawn. */
  reveal: (id: string) => void;
}

/** Which card the keyboard is at: the item itself at first, and when the card is gone. */
export function useGraphFocus(picture: GraphPicture, { rootId, reveal }: FocusOptions) {
  const [focus, setFocus] = useState({ id: rootId, moves: 0 });
  const focusId = picture.nodes.some((node) => node.id === focus.id) ? focus.id : rootId;
  return useMemo(() => {
    const moveTo = (id: string) => {
      reveal(id);
      setFocus((before) => ({ id, moves: before.moves + 1 }));
    };
    return {
      focusId,
      moves: focus.moves,
      moveTo,
      noteFocus: (id: string) => setFocus((before) => (before.id === id ? before : { ...before, id })),
      moveFrom: (id: string, key: string) => {
        const next = neighbourOf(picture, id, key);
        if (next !== null) moveTo(next);
        return next !== null;
      },
    };
  }, [picture, focusId, focus.moves, reveal]);
}
