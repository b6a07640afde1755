import { tabletHereSchema } from '../../contract/http/tablets.ts';

/** What the server says of this tablet: whether it is one no more, and the time, ms since 1970; null without an answer. */
export async function askHere(): Promise<{ isRevoked: boolean; serverMs: number } | null> {
  try {
    const answer = await fetch('/api/tablets/here', {
      cache: 'no-store',
      headers: { accept: 'application/json' },
    });
    if (!answer.ok) return null;
    const { tablet } = tabletHereSchema.parse(await answer.json());
    return { isRevoked: tablet === null, serverMs: Date.parse(answer.headers.get('date') ?? '') };
  } catch {
    // No line: it is asked again a minute later.
    return null;
  }
}
