/**
 * How much is tried where tests try at random: 1 is sized for a commit, more is for a night. It multiplies the runs of
 * every property, the simulated worlds and the requests of the fuzzer, and the time that a test may take.
 */
export const EFFORT = Number(process.env['TEST_EFFORT'] ?? 1);

/** That many at an effort of 1. */
export const runs = (sized: number): number => Math.max(1, Math.ceil(sized * EFFORT));
