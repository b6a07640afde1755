import type { Board } from '../../../contract/http/walls.ts';
import { messages } from '../messages.ts';

/** What a wall shows before anybody made a board. */
export const DEFAULT_BOARD: Board = {
  id: '00000000-0000-4000-8000-000000000000',
  name: messages.screen.defaultBoard,
  updated_at: '',
  tiles: [
    { id: 'unhealthy', kind: 'number', of: 'unhealthy', query: '', title: '', x: 0, y: 0, w: 3, h: 3 },
    { id: 'incidents-count', kind: 'number', of: 'incidents', query: '', title: '', x: 3, y: 0, w: 3, h: 3 },
    { id: 'clock', kind: 'clock', zones: ['UTC'], title: '', x: 6, y: 0, w: 6, h: 3 },
    { id: 'health', kind: 'health', groupBy: 'canary_name', query: '', title: '', x: 0, y: 3, w: 8, h: 5 },
    { id: 'incidents', kind: 'incidents', title: '', x: 8, y: 3, w: 4, h: 5 },
  ],
};
