/** Runs it once the next frame was painted, when looking at the page costs nothing; answers what calls it off. */
export function afterPaint(run: () => void): () => void {
  // A task that is asked for in a frame comes after its paint.
  const frame = requestAnimationFrame(() => setTimeout(run));
  return () => cancelAnimationFrame(frame);
}
