/** A document as people read it. */
export interface WrittenDocument {
  text: string;
  /** What it is written in; `text` for a body that is no data. */
  form: 'yaml' | 'json' | 'text';
  /** The form that the body itself names. */
  format: string | null;
}
