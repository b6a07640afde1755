/**
 * The policy of pages and workers forbids making code from text; without this zod tries, and each try is a report. Called
 * before zod is loaded: it sets where zod looks, for all copies of itself.
 */
export function keepZodFromMakingCode(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
}
