declare module 'json-merge-patch' {
  /** The merge patch (RFC 7396) from one document to another; undefined when they are equal. */
  export function generate(before: unknown, after: unknown): unknown;
  /** Changes `target` in place where it is an object. */
  export function apply(target: unknown, patch: unknown): unknown;
}
