/**
 * Walls and their boards (docs/wall.md): how a screen is paired, what it shows. Bounds keep a document small enough for
 * every screen; who sends what breaks one is told the field.
 */
import { z } from 'zod';
import { isGroupBy, type GroupBy } from '../../domain/check/grouping.ts';
import { firstOverlap, isWithinBoard } from '../../domain/wall/board.ts';

const name = z.string().trim().min(1, 'give it a name').max(100, 'allowed are 100 characters');
const search = z.string().max(1000).default('');

/** Whether this is a zone that the clock of this machine knows, such as Europe/Berlin. */
function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'no time zone: write one such as Europe/Berlin or UTC');

const cells = {
  id: z.string().min(1).max(64),
  /** Shown above the tile; empty for the kind's own. */
  title: z.string().max(100).default(''),
  x: z.int(),
  y: z.int(),
  w: z.int(),
  h: z.int(),
};

export const NUMBER_SOURCES = ['unhealthy', 'warning', 'unknown', 'healthy', 'incidents'] as const;

const tileSchema = z.discriminatedUnion('kind', [
  z.object({
    ...cells,
    kind: z.literal('health'),
    groupBy: z.custom<GroupBy>(
      (value) => typeof value === 'string' && isGroupBy(value),
      'no grouping of checks',
    ),
    query: search,
  }),
  /** The components under one; null for the top of the topology. */
  z.object({ ...cells, kind: z.literal('topology'), rootId: z.guid().nullable() }),
  z.object({ ...cells, kind: z.literal('incidents') }),
  z.object({ ...cells, kind: z.literal('check'), checkId: z.guid('choose a check') }),
  z.object({ ...cells, kind: z.literal('changes') }),
  z.object({ ...cells, kind: z.literal('clock'), zones: z.array(timeZone).min(1).max(6) }),
  z.object({ ...cells, kind: z.literal('number'), of: z.enum(NUMBER_SOURCES), query: search }),
  z.object({ ...cells, kind: z.literal('text'), text: z.string().max(2000) }),
]);
export type Tile = z.output<typeof tileSchema>;
export type TileKind = Tile['kind'];
export type TileOf<Kind extends TileKind> = Extract<Tile, { kind: Kind }>;

const tiles = z
  .array(tileSchema)
  .max(40, 'allowed are 40 tiles')
  .superRefine((list, context) => {
    const outside = list.findIndex((tile) => !isWithinBoard(tile));
    if (outside !== -1)
      context.addIssue({
        code: 'custom',
        path: [outside],
        message: 'lies outside of the grid of 12 by 8 cells',
      });
    const over = firstOverlap(list);
    if (over !== null)
      context.addIssue({
        code: 'custom',
        path: [over[1]],
        message: 'lies over another tile: move one of them',
      });
    if (new Set(list.map(({ id }) => id)).size < list.length)
      context.addIssue({ code: 'custom', message: 'two tiles have the same id' });
  });

/** What a board is saved as. */
export const boardDraftSchema = z.object({ name, tiles });

export const boardSchema = z.object({ ...boardDraftSchema.shape, id: z.guid(), updated_at: z.string() });
export type Board = z.output<typeof boardSchema>;

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'write a time such as 22:30');

/** How a wall shows its boards. */
export const wallSettingsSchema = z.object({
  /** In the order of the rotation; empty for all boards by name. */
  boards: z.array(z.guid()).max(40).default([]),
  rotateSeconds: z.int().min(5, 'allowed are 5 to 3600 seconds').max(3600).default(30),
  /** The screen counts as stale after this long without news. */
  staleSeconds: z.int().min(15, 'allowed are 15 to 30 seconds').max(30).default(20),
  hasSound: z.boolean().default(false),
  hasSpeech: z.boolean().default(false),
  isLargeType: z.boolean().default(false),
  isHighContrast: z.boolean().default(false),
  /** Darker between two times of the screen's own day; null for never. */
  dim: z.object({ from: clockTime, until: clockTime }).nullable().default(null),
});
export type WallSettings = z.output<typeof wallSettingsSchema>;

/** `GET /walls`: a paired screen. */
export const wallSchema = z.object({
  id: z.guid(),
  name: z.string(),
  settings: wallSettingsSchema,
  paired_at: z.string(),
  paired_by_name: z.string().nullable(),
  /** When it was heard last; null before the first time. */
  last_contact: z.string().nullable(),
});
export type Wall = z.output<typeof wallSchema>;

/** `PATCH /walls/:id`. */
export const wallChangeSchema = z.object({ name, settings: wallSettingsSchema }).partial();

/** Letters and digits that are not taken for each other, in two groups of four. */
export const PAIRING_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** As people type it: small letters, spaces and hyphens are as good. */
const pairingCode = z
  .string()
  .transform((text) => text.toUpperCase().replaceAll(/[\s-]/g, ''))
  .pipe(
    z
      .string()
      .regex(new RegExp(`^[${PAIRING_ALPHABET}]{8}$`), 'write the eight characters that the screen shows'),
  );

/** `POST /walls`: confirms the code that a screen shows. */
export const pairWallSchema = z.object({ code: pairingCode, name });

const pairingSecretSchema = z.string().regex(/^[\da-f]{64}$/, 'not the secret of a pairing');

/** `POST /walls/pairings`: what an unpaired screen is given. The secret stays in the screen. */
export const pairingSchema = z.object({
  code: z.string(),
  secret: pairingSecretSchema,
  expires_at: z.string(),
});
export type Pairing = z.output<typeof pairingSchema>;

export const claimSchema = z.object({ secret: pairingSecretSchema });

/** `POST /walls/pairings/claim`: `paired` comes with the screen's session. */
export const claimAnswerSchema = z.object({ state: z.enum(['waiting', 'paired', 'expired']) });
export type ClaimState = z.output<typeof claimAnswerSchema>['state'];

/** Read on demand; a saved board or setting is told as a change of `resources`, by which open pages and walls hear of it. */
export const WALL_VIEWS = {
  walls: { source: { path: '/api/walls' }, row: wallSchema, isKept: true, follows: ['resources'] },
  wall_boards: {
    source: { path: '/api/walls/boards' },
    row: boardSchema,
    isKept: true,
    follows: ['resources'],
  },
} as const;
