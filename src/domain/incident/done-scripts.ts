/** Scripts that a definition of done starts from, by the type of the evidence (spec 3 §2; schema §8.2). */
import type { EvidenceType } from './incident.ts';

/** What a script sees. Of the subjects, only the one that the evidence points at; the others are null. */
export const SCRIPT_VARIABLES = [
  'check',
  'config',
  'component',
  'analysis',
  'change',
  'incident',
  'evidence',
] as const;
export type ScriptVariable = (typeof SCRIPT_VARIABLES)[number];

export type ScriptTemplate = 'healthy' | 'gone' | 'resolved' | 'mitigated';

/** The first is what the editor starts with. Logs and comments have no state: somebody says when they are done. */
const TEMPLATES: Readonly<Record<EvidenceType, readonly (readonly [ScriptTemplate, string])[]>> = {
  check: [
    ['healthy', 'check.status == "healthy"'],
    ['gone', 'check.deleted_at != null'],
  ],
  config: [
    ['healthy', 'config.health == "healthy"'],
    ['gone', 'config.deleted_at != null'],
  ],
  topology: [
    ['healthy', 'component.health == "healthy"'],
    ['gone', 'component.deleted_at != null'],
  ],
  config_analysis: [['resolved', 'analysis.status == "resolved"']],
  // Also true once the incident is resolved by it, or it would open again.
  config_change: [['mitigated', 'incident.status in ["mitigated", "resolved", "closed"]']],
  log: [],
  comment: [],
};

/** Scripts to start from; none where only a person can tell. */
export function scriptTemplates(type: string): readonly (readonly [ScriptTemplate, string])[] {
  return Object.hasOwn(TEMPLATES, type) ? TEMPLATES[type as EvidenceType] : [];
}

/** What the editor starts with; empty where only a person can tell. */
export function firstScript(type: string): string {
  return scriptTemplates(type)[0]?.[1] ?? '';
}
