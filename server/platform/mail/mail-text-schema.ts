import { z } from 'zod';

/** A mail as it waits in the database. */
export const mailTextSchema = z.object({ subject: z.string(), text: z.string(), html: z.string() });
