import { useMemo } from 'react';
import type { Board, WallSettings } from '../../../contract/http/walls.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { DEFAULT_BOARD } from './default-board.ts';

const PLAIN: WallSettings = {
  boards: [],
  rotateSeconds: 30,
  staleSeconds: 20,
  hasSound: false,
  hasSpeech: false,
  isLargeType: false,
  isHighContrast: false,
  dim: null,
};

export interface Shown {
  /** False until boards and settings were read, from this device or the server. */
  isKnown: boolean;
  boards: readonly Board[];
  settings: WallSettings;
}

/** What this screen shows: its boards in their order, and how. `boardId` is one that is looked at alone. */
export function useBoards(viewerId: string, boardId: string | undefined): Shown {
  const walls = useTable({ view: 'walls' });
  const boards = useTable({ view: 'wall_boards' });
  return useMemo(() => {
    const all = boards.kept?.value.rows ?? [];
    const settings = walls.kept?.value.rows.find(({ id }) => id === viewerId)?.settings ?? PLAIN;
    const wanted = boardId === undefined ? settings.boards : [boardId];
    const chosen = wanted.flatMap((id) => all.find((board) => board.id === id) ?? []);
    const shown = chosen.length > 0 ? chosen : all;
    const hasAnswer = ({ kept, error }: typeof walls) => kept !== null || error !== null;
    return {
      isKnown: hasAnswer(walls) && (boards.kept !== null || boards.error !== null),
      boards: shown.length > 0 ? shown : [DEFAULT_BOARD],
      settings,
    };
  }, [walls, boards, viewerId, boardId]);
}
