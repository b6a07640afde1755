/**
 * Takes the secrets that a run read out of what is stored and shown of it: as they are, and as answers repeat them
 * (base64 at any offset, so Basic headers too; percent escapes of any depth, JSON, HTML and hex escapes). A plain word such as
 * `postgres` is taken out only where it signs in: everywhere else it would tear holes into every text.
 */
import type { LeftFile } from '../exec/collect-files.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

/** What a run leaves for people to read. */
interface Findings {
  message: string | null;
  error: string | null;
  notRun: string | null;
  detail: unknown;
  data: Record<string, unknown>;
  files?: readonly LeftFile[];
}

export interface Redactor {
  note(secret: string): void;
  clean<T extends Findings>(findings: T): T;
  text(text: string): string;
  /** Any value: texts and keys of it, at any depth. */
  value<T>(value: T): T;
}

/** Shorter ones are no secrets, and taking them out would tear holes into every text. */
const MIN_LENGTH = 4;
const PLAIN_WORD = /^[a-z]{1,11}$/i;
/** Parts of a document that is a secret as a whole (a kubeconfig, a key): lines, and what looks like a token. */
const MIN_LINE = 16;
const TOKEN = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+/=_.-]{20,}$/;
const MASK = '***';
const BASE64_BYTES = 3;

const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, String.raw`\$&`);

/** Longer ones are documents: their lines are looked for as well, and the pattern stays of a size that can be built. */
const MAX_ENCODED = 512;
const eitherCase = (hex: string) => hex.replaceAll(/[A-F]/g, (digit) => `[${digit}${digit.toLowerCase()}]`);

/** A sign as it is, or in percent escapes, and those in percent escapes as often as anybody wrote them so. */
function signPattern(sign: string): string {
  const bytes = [...Buffer.from(sign)].map((byte) =>
    eitherCase(byte.toString(16).padStart(2, '0').toUpperCase()),
  );
  const percent = bytes.map((byte) => `%(?:25)*${byte}`).join('');
  return sign === '%' ? '%(?:25)*' : `(?:${escaped(sign)}|${percent})`;
}

/** Finds a text also where other programs put it into an address, or into an address of an address. */
const encodedPattern = (text: string) =>
  text.length > MAX_ENCODED ? escaped(text) : text.replaceAll(/[^A-Za-z0-9]/gu, signPattern);

/** Of the base64 of any text with the secret in it, the part that only the secret decides. */
function base64Cores(secret: string): string[] {
  const length = Buffer.byteLength(secret);
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${'\0'.repeat(offset)}${secret}`)
      .toString('base64')
      .replaceAll('=', '');
    const from = offset === 0 ? 0 : offset + 1;
    const isWhole = (offset + length) % BASE64_BYTES === 0;
    return encoded.slice(from, isWhole ? undefined : -1);
  });
}

const HTML = lookupTable<string>({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
});

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const cores = base64Cores(secret);
  const percent = encodeURIComponent(secret);
  const hex = Buffer.from(secret).toString('hex');
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    percent,
    percent.replaceAll(/%../g, (code) => code.toLowerCase()),
    new URLSearchParams({ a: secret }).toString().slice(2),
    secret.replaceAll(/[&<>"']/g, (sign) => HTML[sign] ?? sign),
    hex,
    hex.toUpperCase(),
    ...cores,
    ...cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_')),
    ...cores.map((core) => encodeURIComponent(core)),
  ].filter((form) => form.length >= MIN_LENGTH);
}

function partsOf(secret: string): string[] {
  if (!secret.includes('\n')) return [];
  const lines = secret.split('\n').map((line) => line.trim());
  const tokens = secret.split(/[\s"':,{}]+/).filter((word) => TOKEN.test(word));
  return [...lines.filter((line) => line.length >= MIN_LINE), ...tokens];
}

const SECRET_KEY = /(?:pass(?:word|wd|phrase)?|pwd|token|secret|key|bearer|authorization)$/i;

/** Where a word signs in: in an address, behind a telling name, after `Bearer`. */
const asSignIn = (word: string) =>
  `(?<=:\\/\\/[^\\s/:@]*:|(?:pass\\w*|pwd|token|secret|key)["']?\\s?[=:]\\s?["']?|[Bb]earer )${escaped(word)}(?!\\w)`;

/** Runs of letters and digits, which no escape writes otherwise. */
const RUNS = /[A-Za-z0-9]+/g;
/** Shorter runs say nothing: they stand in every text. */
const MIN_RUN = 3;

/** The longest run of a form; null where it has none that tells. */
function longestRun(form: string): string | null {
  const [longest = ''] = (form.match(RUNS) ?? []).toSorted((a, b) => b.length - a.length);
  return longest.length < MIN_RUN ? null : longest;
}

/** The texts that a redactor looks for; none where it is too short to be a secret. */
export function formsToFind(secret: string): string[] {
  const trimmed = secret.trim();
  if (trimmed.length < MIN_LENGTH) return [];
  return [secret, trimmed, ...partsOf(secret)].flatMap((part) =>
    PLAIN_WORD.test(part) ? [part] : formsOf(part),
  );
}

/**
 * Tells quickly whether a secret may stand in a text in any of the forms that a redactor finds, to ask only those that
 * may. Never false where one does.
 */
export function maybeIn(secret: string, text: string): boolean {
  const runs = new Set(
    formsToFind(secret).map((form) => (form.length > MAX_ENCODED ? form : longestRun(form))),
  );
  return [...runs].some((run) => run === null || text.includes(run));
}

/** One per run. */
export function createRedactor(): Redactor {
  const patterns = new Set<string>();
  const words = new Set<string>();
  let pattern: RegExp | null = null;

  function add(secret: string): void {
    const before = patterns.size;
    if (PLAIN_WORD.test(secret)) {
      words.add(secret);
      patterns.add(asSignIn(secret));
    } else for (const form of formsOf(secret)) patterns.add(encodedPattern(form));
    if (patterns.size > before)
      pattern = new RegExp([...patterns].toSorted((a, b) => b.length - a.length).join('|'), 'g');
  }
  const cleanText = (text: string) => (pattern === null ? text : text.replaceAll(pattern, MASK));
  const cleanAny = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return words.has(value) && SECRET_KEY.test(name) ? MASK : cleanText(value);
    if (Array.isArray(value)) return value.map((entry) => cleanAny(entry, name));
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [cleanText(key), cleanAny(entry, key)]),
    );
  };
  const cleanFile = ({ name, content }: LeftFile): LeftFile => {
    // Bytes that are no text are looked through one by one, so that nothing of them changes but secrets.
    const encoding = Buffer.from(content.toString('utf8')).equals(content) ? 'utf8' : 'latin1';
    return { name: cleanText(name), content: Buffer.from(cleanText(content.toString(encoding)), encoding) };
  };
  // The shape stays: only texts are other ones.
  const cleanValue = <T>(value: T): T => (pattern === null ? value : (cleanAny(value) as T));
  return {
    note(secret) {
      if (secret.trim().length < MIN_LENGTH) return;
      add(secret);
      add(secret.trim());
      for (const part of partsOf(secret)) add(part);
    },
    text: cleanText,
    value: cleanValue,
    clean(findings) {
      const { message, error, detail, data, files } = findings;
      return {
        ...findings,
        message: message === null ? null : cleanText(message),
        error: error === null ? null : cleanText(error),
        notRun: findings.notRun === null ? null : cleanText(findings.notRun),
        detail: cleanValue(detail),
        data: cleanValue(data),
        ...(files === undefined ? {} : { files: files.map(cleanFile) }),
      };
    },
  };
}
