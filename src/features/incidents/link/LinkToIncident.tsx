/**
 * Attaches what a screen shows to an incident (spec 3 §2 'Link to incident dialog', §5): choose or create the
 * incident, then the hypothesis. Answered by this device; what is made are commands, so it works offline as well.
 */
import { useEffect, useRef, useState } from 'react';
import { useForm, useFormContext, useWatch } from 'react-hook-form';
import { sendCommand } from '../../../data/commands/commands.ts';
import { useLiveRecords } from '../../../data/queries/use-live-records.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { may } from '../../../domain/access/matrix.ts';
import type { EvidenceDraft } from '../../../domain/incident/evidence-draft.ts';
import { INCIDENT_SEVERITIES, INCIDENT_TYPES } from '../../../domain/incident/incident.ts';
import { links } from '../../../domain/links.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { SelectInput } from '../../../ui/form/fields.tsx';
import { FieldColumns, FormShell } from '../../../ui/form/FormShell.tsx';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import type { Reader } from '../incident-context.tsx';
import { useRecords } from '../use-records.ts';
import { optionsFor, wordFor } from '../words.ts';
import { Chooser } from './Chooser.tsx';
import classes from './chooser.module.css';
import { linkPlan, type LinkPlan } from './link-plan.ts';
import { LINK_DEFAULTS, linkSchema, type Choice, type LinkValues } from './link-schema.ts';
import { messages } from './messages.ts';
import { useSettled } from '../../../ui/hooks/use-settled.ts';

const words = messages;
/** Spec 3 §9. */
const SEARCH_DELAY_MS = 400;
/** More than these are searched for, not scrolled to. */
const OFFERED_ROWS = 20;

/** The incident of a choice that is there; no id matches the empty one. */
const idOf = (choice: Choice | null) => (choice?.kind === 'existing' ? choice.id : '');

function IncidentField() {
  const form = useFormContext<LinkValues>();
  const [query, setQuery] = useState('');
  const search = useSettled(query.trim(), SEARCH_DELAY_MS);
  const { rows, total } = useLiveQuery({
    collection: 'incidents',
    where: [],
    search,
    sort: [{ field: 'created_at', isDescending: true }],
    groupBy: null,
    window: { start: 0, end: OFFERED_ROWS },
  });
  const choose = (incident: Choice | null) => {
    form.setValue('incident', incident, { shouldDirty: true, shouldValidate: incident !== null });
    // It belonged to the other one (spec 3 §5).
    form.setValue('hypothesis', null);
    form.clearErrors('hypothesis');
  };
  return (
    <Chooser
      isRequired
      name="incident"
      label={words.incident}
      placeholder={words.incidentSearch}
      value={useWatch<LinkValues, 'incident'>({ name: 'incident' })}
      onChoose={choose}
      query={query}
      onQuery={setQuery}
      offers={rows.map(({ id, row }) => ({
        id,
        title: row.title,
        hint: [row.incident_id, wordFor('statuses', row.status)].filter(Boolean).join(' · '),
      }))}
      total={total}
      empty={words.noIncidents}
    />
  );
}

function HypothesisField() {
  const form = useFormContext<LinkValues>();
  const incident = useWatch<LinkValues, 'incident'>({ name: 'incident' });
  const value = useWatch<LinkValues, 'hypothesis'>({ name: 'hypothesis' });
  const [query, setQuery] = useState('');
  const search = useSettled(query.trim(), SEARCH_DELAY_MS);
  const incidentId = idOf(incident);
  const { rows, total } = useLiveRecords('hypothesis', {
    where: [{ field: 'incident_id', op: 'eq', value: incidentId }],
    search,
    sort: [{ field: 'created_at', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: OFFERED_ROWS },
  });
  const choose = (hypothesis: Choice | null) =>
    form.setValue('hypothesis', hypothesis, { shouldDirty: true, shouldValidate: hypothesis !== null });
  // Once for each incident: who changes it wants another.
  const offeredFor = useRef('');
  const all = useRecords(incidentId, 'hypothesis');
  const [only] = all.rows;
  useEffect(() => {
    if (incidentId === '') offeredFor.current = '';
    if (incidentId === '' || offeredFor.current === incidentId) return;
    if (!all.isLoaded || only?.row.incident_id !== incidentId) return;
    offeredFor.current = incidentId;
    if (all.total !== 1) return;
    form.setValue('hypothesis', { kind: 'existing', id: only.id, title: only.row.title });
  }, [incidentId, all, only, form]);
  const isNew = incident?.kind === 'new';
  return (
    <Chooser
      isRequired={!isNew}
      name="hypothesis"
      label={words.hypothesis}
      placeholder={words.hypothesisSearch}
      value={value}
      onChoose={choose}
      query={query}
      onQuery={setQuery}
      offers={rows
        .filter(({ row }) => row.incident_id === incidentId)
        .map(({ id, row }) => ({ id, title: row.title, hint: wordFor('hypothesisStatuses', row.status) }))}
      total={total}
      empty={isNew ? words.hypothesisHint : words.noHypotheses}
    />
  );
}

/** Only a new incident is asked what it is (spec 3 §4). */
function NewIncidentFields() {
  return (
    <FieldColumns>
      <SelectInput
        isRequired
        name="type"
        label={words.type}
        placeholder={words.choose}
        options={optionsFor('types', INCIDENT_TYPES)}
      />
      <SelectInput
        isRequired
        name="severity"
        label={words.severity}
        placeholder={words.choose}
        options={optionsFor('severities', INCIDENT_SEVERITIES)}
      />
    </FieldColumns>
  );
}

function Fields() {
  const incident = useWatch<LinkValues, 'incident'>({ name: 'incident' });
  return (
    <>
      <IncidentField />
      {incident?.kind === 'new' && <NewIncidentFields />}
      {incident !== null && <HypothesisField />}
    </>
  );
}

/** What is attached, in a word each. */
function Drafts({ drafts }: { drafts: readonly EvidenceDraft[] }) {
  return (
    <ul className={classes.drafts} aria-label={words.attaching}>
      {drafts.map((draft, at) => (
        <li key={at}>
          <Tag value={wordFor('evidenceTypes', draft.type)} />
          <span>{draft.description}</span>
        </li>
      ))}
    </ul>
  );
}

/** Sends a plan once: what was kept before something went wrong is not made twice. */
function usePlan() {
  const rest = useRef<(LinkPlan & { all: number }) | null>(null);
  return async (make: () => LinkPlan | null) => {
    if (rest.current === null) {
      const made = make();
      if (made === null) return { incidentId: null, problem: null };
      rest.current = { ...made, all: made.requests.length };
    }
    const { incidentId, requests, all } = rest.current;
    for (let next = requests[0]; next !== undefined; next = requests[0]) {
      // In their order: one needs what the one before makes.
      const answer = await sendCommand(next);
      if (!answer.ok) {
        const why = messages.errorText(answer.error);
        const sent = all - requests.length;
        if (sent === 0) rest.current = null;
        return { incidentId, problem: sent === 0 ? why : words.partly(sent, all, why) };
      }
      requests.shift();
    }
    rest.current = null;
    return { incidentId, problem: null };
  };
}

export interface LinkToIncidentProps {
  drafts: readonly EvidenceDraft[];
  reader: Reader;
  onClose: () => void;
}

/** The dialog; closes itself when everything is safe on this device. */
export function LinkToIncident({ drafts, reader, onClose }: LinkToIncidentProps) {
  const device = useDevice();
  const toasts = useToasts();
  const form = useForm<LinkValues>({ resolver: zodResolver(linkSchema), defaultValues: LINK_DEFAULTS });
  const sendPlan = usePlan();
  const incident = useWatch({ control: form.control, name: 'incident' });
  const roots = useRecords(idOf(incident), 'hypothesis', {
    where: [{ field: 'type', op: 'eq', value: 'root' }],
  });
  const mayLink = may(reader.roles, 'incident', 'write') && may(reader.roles, 'evidences', 'write');
  const link = async (values: LinkValues) => {
    // Right after another incident was chosen, the answer may still be about the one before.
    const root = roots.rows.find(({ row }) => row.incident_id === idOf(values.incident));
    const { incidentId, problem } = await sendPlan(() =>
      linkPlan({ values, drafts, rootId: root?.id ?? null, newId: () => device.newId() }),
    );
    if (problem !== null) return { text: problem, field: null };
    // The hypothesis may have gone while the dialog was open.
    if (incidentId === null) return { text: words.errors.hypothesis, field: 'hypothesis' };
    onClose();
    toasts.success(words.done, { text: words.open, href: links.incident(incidentId) });
    return null;
  };
  return (
    <Modal title={words.title} size="very-small" onClose={onClose}>
      <FormShell
        form={form}
        onSend={link}
        submit={words.submit}
        submitting={words.submitting}
        blocked={mayLink ? null : words.forbidden}
        onCancel={onClose}
      >
        <Drafts drafts={drafts} />
        <Fields />
      </FormShell>
    </Modal>
  );
}
