/** Evidence before it belongs to an incident: what a screen hands over when somebody attaches what it shows. */
import type { EvidenceType } from './incident.ts';

/** One line of a log as evidence keeps it (spec 3 §2 'Logs', §3). */
export interface EvidenceLogLine {
  /** ISO; null where the line has none. */
  timestamp: string | null;
  message: string;
  labels: Readonly<Record<string, string>>;
}

/** The ids of what it points at, by the column of `evidences`. */
export type EvidenceSubject = Partial<
  Record<'config_id' | 'config_change_id' | 'config_analysis_id' | 'component_id' | 'check_id', string>
>;

export interface EvidenceDraft extends EvidenceSubject {
  type: EvidenceType;
  /** What the list of evidences shows; for a comment its text. */
  description: string;
  /**
   * What it says by itself, for when its source has moved on: for a log `{lines, selected_lines, start}`, for
   * others what they showed when they were attached.
   */
  evidence?: Readonly<Record<string, unknown>>;
}
