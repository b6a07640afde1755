/** What a statement is, told from its words alone, where the database has no way to say it. */
const READING = new Set(['select', 'with', 'table', 'values', 'show', 'explain', 'describe', 'desc']);

/** Spaces, brackets and comments; not the comments with an exclamation mark, whose text MySQL runs. */
const BEFORE = /^(?:[\s(]|#[^\n]*|--(?=\s|$)[^\n]*|\/\*(?!!|M!)[\s\S]*?\*\/)+/;

/** Words of statements that change something, run others, or go on to a next one. */
const MORE =
  /;|\b(?:alter|backup|begin|bulk|call|checkpoint|commit|copy|create|dbcc|dblink|declare|delete|deny|disable|do|drop|enable|exec|execute|goto|grant|if|insert|into|kill|lock|merge|nextval|output|print|raiserror|receive|reconfigure|replace|restore|returning|revert|revoke|rollback|save|send|set|setval|shutdown|throw|truncate|update|updatetext|use|waitfor|while|writetext)\b/i;

/**
 * Whether it begins as a statement that reads. For MySQL that is enough to know that it ends no transaction: what
 * commits by itself (CREATE, DROP, CALL, ANALYZE TABLE …) has a first word of its own, and no function may do it.
 */
export function isReadingStatement(text: string): boolean {
  const [word = ''] = /^[a-z]+/i.exec(text.replace(BEFORE, '')) ?? [];
  return READING.has(word.toLowerCase());
}

/** Whether it certainly is one that only reads; says no in doubt, such as for a column that is named like a statement. */
export function isOnlyReading(text: string): boolean {
  return isReadingStatement(text) && !MORE.test(text);
}
