/** Playbooks that an event of a check, config item or component sets off (schema §7.4). */
import { hasLabels, triggersFor, TRIGGER_EVENTS } from '../../../src/domain/playbook/trigger.ts';
import type { EventTrigger } from '../../../src/domain/playbook/trigger.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { EventHandler } from '../../platform/jobs/event-queue.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import type { PlaybookResource } from '../requests/playbook-query.ts';
import type { Target } from '../requests/playbook-request.ts';
import { playbooksFor, specOfPlaybook } from '../requests/runnable-playbooks.ts';
import {
  hasRunToBegin,
  lastRunAbout,
  playbooksWanting,
  readChain,
  readSubject,
  runThatNoted,
} from './cause-query.ts';
import type { Cause, Subject, TriggeredPlaybook } from './cause-query.ts';
import { noteUnstarted, startTriggered } from './start-triggered.ts';
import type { Triggered, TriggerDeps } from './start-triggered.ts';

const KINDS: Readonly<Record<Target['word'], PlaybookResource>> = {
  check: 'checks',
  config: 'configs',
  component: 'components',
};

interface Happened {
  name: string;
  key: string;
  target: Target;
  subject: Subject;
  properties: Record<string, unknown>;
  /** The run that wrote the change down, where it is its own note. */
  notedBy: string | null;
}

function variablesOf({ name, target, subject, properties }: Happened): Record<string, unknown> {
  const none = { check: null, canary: subject.canary, config: null, component: null };
  return { ...none, [target.word]: subject.subject, event: { name, ...properties } };
}

async function isMeant(trigger: EventTrigger, happened: Happened, deps: TriggerDeps): Promise<boolean> {
  const labels = Object.entries(happened.subject.subject.labels).map(([key, value]): [string, string] => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  if (!hasLabels(trigger.labels, Object.fromEntries(labels))) return false;
  const filter = (trigger.filter ?? '').trim();
  if (filter === '') return true;
  const scope = { variables: variablesOf(happened), durationNames: [], lastResult: null };
  try {
    return (await deps.expressions.evaluate({ expr: filter }, scope)).isTrue === true;
  } catch (error) {
    const reason = `on: the filter "${filter.slice(0, 200)}" fails: ${reasonOf(error)}`;
    throw new AppError('invalid', reason, { cause: error });
  }
}

async function isWanted(
  playbook: TriggeredPlaybook,
  happened: Happened,
  deps: TriggerDeps,
): Promise<boolean> {
  const { target } = happened;
  const spec = specOfPlaybook(playbook);
  for (const { trigger } of triggersFor(spec.on ?? {}, happened.name)) {
    if (!(await isMeant(trigger, happened, deps))) continue;
    const isForAll = (spec[target.kind] ?? []).length === 0;
    return isForAll || (await playbooksFor(deps, [playbook], target)).length > 0;
  }
  return false;
}

/** What a run notes of itself is no news for the playbooks that led to it. */
async function isOwnNote(playbook: TriggeredPlaybook, { notedBy, target }: Happened, { db }: TriggerDeps) {
  if (notedBy === null) return false;
  const chain = await readChain(db, notedBy);
  return chain.some(
    (link) => link.playbookId === playbook.id && link.resource === `${target.word}/${target.id}`,
  );
}

async function causeOf(
  { name, key, target, notedBy }: Happened,
  { db, platform }: TriggerDeps,
): Promise<Cause> {
  const isCertain = notedBy !== null;
  const runId = notedBy ?? (await lastRunAbout(db, target, platform.now()));
  return {
    kind: 'event',
    sourceKey: key,
    detail: name,
    parent: runId === null ? null : { runId, isCertain },
  };
}

async function askedFor(
  playbook: TriggeredPlaybook,
  happened: Happened,
  deps: TriggerDeps,
): Promise<Triggered> {
  const { target, name, subject, properties } = happened;
  const request = { event: name, ...properties, labels: subject.subject.labels };
  return { playbook, target, params: {}, request, cause: await causeOf(happened, deps) };
}

async function setOff(playbook: TriggeredPlaybook, happened: Happened, deps: TriggerDeps): Promise<void> {
  const { target, name } = happened;
  if (!(await isWanted(playbook, happened, deps)) || (await isOwnNote(playbook, happened, deps))) return;
  if (await hasRunToBegin(deps.db, playbook.id, target)) {
    deps.logger.info({ playbook: playbook.id, event: name }, 'a run of this playbook waits to begin already');
    return;
  }
  await startTriggered(await askedFor(playbook, happened, deps), deps);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

async function happenedOf(
  word: Target['word'],
  event: Parameters<EventHandler>[0],
  { db }: TriggerDeps,
): Promise<Happened | null> {
  const { name, properties, key } = event;
  const target: Target = { kind: KINDS[word], id: textOf(properties['id']), word };
  const subject = target.id === '' ? null : await readSubject(db, word, target.id);
  if (subject === null) return null;
  const changeId = textOf(properties['change_id']);
  const notedBy = changeId === '' ? null : await runThatNoted(db, changeId);
  return { name, key, target, subject, properties, notedBy };
}

async function handle(
  word: Target['word'],
  event: Parameters<EventHandler>[0],
  deps: TriggerDeps,
): Promise<void> {
  const playbooks = await playbooksWanting(deps.db, event.name);
  if (playbooks.length === 0) return;
  const happened = await happenedOf(word, event, deps);
  if (happened === null) return;
  for (const playbook of playbooks) {
    try {
      await setOff(playbook, happened, deps);
    } catch (error) {
      // One that can't be started must not hold up the others, nor come again with the event.
      if (error instanceof AppError && error.retryable) throw error;
      await noteUnstarted(await askedFor(playbook, happened, deps), error, deps);
    }
  }
}

/** For the event queue, by name of the event. */
export function eventHandlers(deps: TriggerDeps): ReadonlyMap<string, EventHandler> {
  const wordOf = (name: string): Target['word'] =>
    name.startsWith('check.') ? 'check' : name.startsWith('config.') ? 'config' : 'component';
  return new Map(TRIGGER_EVENTS.map((name) => [name, (event) => handle(wordOf(name), event, deps)]));
}
