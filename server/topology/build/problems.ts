/** What a run could not do, for its job history. Bounded: a lookup may be wrong ten thousand times. */
const MAX_TOLD = 50;

export interface Problems {
  tell: (problem: string) => void;
  /** What was found, in order; says how much more there was. */
  all: () => string[];
}

/** Collects them, each once. */
export function createProblems(): Problems {
  const told = new Set<string>();
  let more = 0;
  return {
    tell: (problem) => {
      if (told.has(problem)) return;
      if (told.size < MAX_TOLD) told.add(problem);
      else more += 1;
    },
    all: () => (more === 0 ? [...told] : [...told, `and ${more} more problems`]),
  };
}
