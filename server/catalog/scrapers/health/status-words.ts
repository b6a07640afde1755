/**
 * Health of a cloud's resource by the word that its service has for its state. Services share their words across
 * types. What a word means: docs/health-rules.md.
 */
import { humanWords } from './health.ts';
import type { Health } from './health.ts';

interface Meaning {
  health: Health['health'];
  /** Whether it stays so by itself. */
  ready: boolean;
  words: readonly string[];
}

/** Words as people read them, in small letters. */
const MEANINGS: readonly Meaning[] = [
  {
    health: 'healthy',
    ready: true,
    words: [
      'active',
      'running',
      'ready',
      'available',
      'in use',
      'create complete',
      'import complete',
      'update complete',
      'associated',
      'attached',
      'billed',
      'complete',
      'completed',
      'converting to vpc',
      'delete precheck',
      'enabled',
      'healthy',
      'ok',
      'online',
      'renaming',
      'runnable',
      'storage config upgrade',
      'succeeded',
    ],
  },
  {
    health: 'healthy',
    ready: false,
    words: [
      'updating',
      'update in progress',
      'update complete cleanup in progress',
      'rebooting',
      'rebooting cluster nodes',
      'resetting master credentials',
      'storage optimization',
      'upgrading',
      'reconciling',
      'modifying',
      'backing up',
      'moving to vpc',
      'snapshotting',
    ],
  },
  { health: 'unknown', ready: true, words: ['stopped', 'terminated', 'delete complete', 'deleted'] },
  {
    health: 'warning',
    ready: true,
    words: [
      'suspended',
      'rollback complete',
      'import rollback complete',
      'update rollback complete',
      'running with error',
      'active impaired',
      'canceled',
    ],
  },
  {
    health: 'warning',
    ready: false,
    words: [
      'rollback in progress',
      'import rollback in progress',
      'update rollback in progress',
      'maintenance',
      'degraded',
      'restoring',
      'inaccessible encryption credentials recoverable',
    ],
  },
  {
    health: 'unhealthy',
    ready: true,
    words: [
      'failed',
      'error',
      'create failed',
      'delete failed',
      'update failed',
      'rollback failed',
      'import rollback failed',
      'update rollback failed',
      'restore failed',
      'insufficient capacity',
      'insufficient resource limits',
      'storage full',
      'impaired',
      'unhealthy',
      'lost',
    ],
  },
];

/** All words that are known, as people read them. */
export const KNOWN_WORDS: readonly string[] = MEANINGS.flatMap(({ words }) => words);

const BY_WORD = new Map(MEANINGS.flatMap((meaning) => meaning.words.map((word) => [word, meaning] as const)));

/** What a word says. A word that nobody knows says nothing, or that something is going on. */
export function stateHealth(word: string, message = ''): Health {
  const status = humanWords(word);
  const text = status.toLowerCase();
  const known = BY_WORD.get(text);
  if (known !== undefined) return { health: known.health, status, ready: known.ready, message };
  if (text.startsWith('inaccessible') || text.startsWith('incompatible') || /error|fail/.test(text))
    return { health: 'unhealthy', status, ready: true, message };
  if (text.startsWith('configuring')) return { health: 'healthy', status, ready: false, message };
  return { health: 'unknown', status, ready: false, message };
}
