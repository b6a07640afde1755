/** How many malformed queries the fuzz test sends; fewer where the machine is slow: `FUZZ_RUNS=2000`. */
const DEFAULT_RUNS = 10_000;

export const fuzzRuns = Number(process.env['FUZZ_RUNS'] ?? DEFAULT_RUNS);
