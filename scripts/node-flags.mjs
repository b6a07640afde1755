// How the server's Node is started everywhere: a small young generation keeps some 40 MB of memory back, at no
// cost that the benchmarks show.
export const NODE_FLAGS = ['--max-semi-space-size=2'];
