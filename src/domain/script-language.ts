/**
 * The languages that a script of a document may be written in, the key that says which, and the words of forms for them.
 * Forms and what runs the script read a document by the same rule: the first key with something in it counts.
 */

/** In the order in which a form offers them, each with the keys that mean it; the first is the one that is written. */
export const SCRIPT_LANGUAGES = [
  { label: 'Go Template', keys: ['template', 'gotemplate'] },
  { label: 'Javascript', keys: ['javascript'] },
  { label: 'Expr', keys: ['expr'] },
  { label: 'JSONPath', keys: ['jsonPath', 'jsonpath'] },
] as const;
export const NO_LANGUAGE = 'None';

export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number]['label'];
export type ScriptKey = (typeof SCRIPT_LANGUAGES)[number]['keys'][number];
/** A script as documents have it. */
export type WrittenScript = { [Key in ScriptKey]?: string | undefined };

/** Where several have something in them, the first of these is run. */
const PRECEDENCE = [
  'expr',
  'template',
  'gotemplate',
  'jsonPath',
  'jsonpath',
  'javascript',
] as const satisfies ScriptKey[];

export interface ScriptText {
  language: ScriptLanguage;
  key: ScriptKey;
  text: string;
}

/** What of a script is run; null for nothing. */
export function scriptText(script: WrittenScript | undefined): ScriptText | null {
  for (const key of PRECEDENCE) {
    const text = script?.[key];
    if (typeof text !== 'string' || text.trim() === '') continue;
    const language = SCRIPT_LANGUAGES.find(({ keys }) => (keys as readonly string[]).includes(key));
    if (language !== undefined) return { language: language.label, key, text };
  }
  return null;
}

const KEYS: ReadonlySet<string> = new Set(PRECEDENCE);

/** The script with its text in that language, and what else stands there as it was; undefined where nothing is left. */
export function scriptIn(
  script: WrittenScript,
  language: ScriptLanguage | null,
  text: string,
): WrittenScript | undefined {
  const before = scriptText(script);
  const isSame = before !== null && before.language === language;
  const key = isSame ? before.key : SCRIPT_LANGUAGES.find(({ label }) => label === language)?.keys[0];
  // Without a language nothing of it is to be run.
  const isGone = (one: string) => one === before?.key || (language === null && KEYS.has(one));
  const rest = Object.fromEntries(Object.entries(script).filter(([one]) => !isGone(one)));
  const written = key === undefined || text.trim() === '' ? rest : { ...rest, [key]: text };
  return Object.keys(written).length === 0 ? undefined : written;
}
