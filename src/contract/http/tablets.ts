/** Tablets that a shift hands over (docs/tablet.md): which there are, and what the server says to one. */
import { z } from 'zod';
import { WALL_VIEWS } from './walls.ts';

/** `POST /tablets`: the browser that asks becomes that tablet. */
export const shareTabletSchema = z.object({
  name: z.string().trim().min(1, 'give it a name').max(100, 'allowed are 100 characters'),
});

/** `GET /tablets`: a shared tablet. */
export const tabletSchema = z.object({
  id: z.guid(),
  name: z.string(),
  made_at: z.string(),
  made_by_name: z.string().nullable(),
  /** When somebody set a PIN on it, or it asked whether it is still shared; null before the first time. */
  last_contact_at: z.string().nullable(),
  /** Sessions of people that are open or locked on it. */
  sessions: z.number(),
});
export type SharedTablet = z.output<typeof tabletSchema>;

/** `GET /tablets/here`: null for a browser that is no shared tablet, or no longer. */
export const tabletHereSchema = z.object({ tablet: z.object({ id: z.guid(), name: z.string() }).nullable() });

/** Walls and tablets, read on demand. */
export const SCREEN_VIEWS = {
  ...WALL_VIEWS,
  tablets: { source: { path: '/api/tablets' }, row: tabletSchema, isKept: true, follows: [] },
} as const;
