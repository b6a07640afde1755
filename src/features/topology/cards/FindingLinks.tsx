/**
 * Incidents and insights of a component by type and severity, each a link to their list (spec 2 §2 'Other links').
 * Insights are counted whatever their status, as the component's summary has them on every server (schema §1.6
 * `analysis_summary_by_component`, §6.5): resolved ones go after seven days. The panel of the sidebar has and
 * counts the open ones alone (`analysis_by_component`), and so does the list until another status is chosen there.
 */
import { formatCount } from '../../../domain/format-count.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { CardSummary } from '../../../contract/topology-view.ts';
import { links } from '../../../domain/links.ts';
import { findingsOf, type Finding } from '../../../domain/topology/findings.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { AnalysisIcon } from '../../../ui/marks/AnalysisIcon.tsx';
import { useAttachEvidence } from '../../../ui/page/AttachEvidence.tsx';
import { messages } from '../messages.ts';
import classes from './findings.module.css';

const words = messages.card;

export interface FindingLink extends Finding {
  kind: 'incident' | 'insight';
}

/** What there is, incidents first. */
export function findingLinks(summary: CardSummary, hasIncidents: boolean): FindingLink[] {
  const incidents = hasIncidents ? findingsOf(summary.incidents, { mergesLow: false }) : [];
  const insights = findingsOf(summary.insights, { mergesLow: true });
  return [
    ...incidents.map((one) => ({ ...one, kind: 'incident' as const })),
    ...insights.map((one) => ({ ...one, kind: 'insight' as const })),
  ];
}

function One({ componentId, finding }: { componentId: string; finding: FindingLink }) {
  const { kind, type, severities, count } = finding;
  const isIncident = kind === 'incident';
  const severity = severities.join(',');
  const severityText = severities.join(', ').toLowerCase();
  const kindOf = isIncident ? words.incidentOf(type, count) : words.insightOf(type, count);
  return (
    <AppLink
      href={
        isIncident
          ? links.componentIncidents(componentId, { type, severity })
          : links.componentInsights(componentId, { type, severity: severity.toLowerCase() })
      }
      className={classes.finding}
      title={`${formatCount(count)} ${severityText} ${kindOf}`}
    >
      {isIncident ? (
        <IconAlertTriangle size={14} stroke={1.6} aria-hidden />
      ) : (
        <AnalysisIcon type={type} size={14} />
      )}
      {formatCount(count)}
      <span className={classes.severity}>{severityText}</span>
      <span className="visually-hidden">{kindOf}</span>
    </AppLink>
  );
}

interface FindingLinksProps {
  componentId: string;
  summary: CardSummary;
  limit: number;
  /** Where the rest is. */
  moreHref: string;
}

/** See the head of this file. */
export function FindingLinks({ componentId, summary, limit, moreHref }: FindingLinksProps) {
  const { hasIncidents } = useAttachEvidence();
  const found = findingLinks(summary, hasIncidents);
  if (found.length === 0) return null;
  return (
    <span className={classes.findings}>
      {found.slice(0, limit).map((finding) => (
        <One
          key={`${finding.kind} ${finding.type} ${finding.severities.join()}`}
          componentId={componentId}
          finding={finding}
        />
      ))}
      {found.length > limit && (
        <AppLink href={moreHref} className={classes.finding} title={words.moreFindings(found.length - limit)}>
          {words.more(found.length - limit)}
        </AppLink>
      )}
    </span>
  );
}
