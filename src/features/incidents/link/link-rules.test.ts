import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../../contract/commands/all-commands.ts';
import type { EvidenceDraft } from '../../../domain/incident/evidence-draft.ts';
import { linkPlan } from './link-plan.ts';
import { LINK_DEFAULTS, linkSchema, type LinkValues } from './link-schema.ts';

const OLD = { kind: 'existing', id: '11111111-1111-4111-8111-111111111111', title: 'Shop is down' } as const;
const IDEA = { kind: 'existing', id: '22222222-2222-4222-8222-222222222222', title: 'Disk full' } as const;
const NEW = { kind: 'new', title: 'Something new' } as const;

function problems(values: Partial<LinkValues>): Record<string, string> {
  const parsed = linkSchema.safeParse({ ...LINK_DEFAULTS, ...values });
  return Object.fromEntries(
    (parsed.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  );
}

describe('what must be chosen before linking', () => {
  test('an incident, and with an existing one a hypothesis', () => {
    expect(problems({})).toEqual({ incident: 'Must select or create an incident' });
    expect(problems({ incident: OLD })).toEqual({ hypothesis: 'Must select or create a hypothesis' });
    expect(problems({ incident: OLD, hypothesis: IDEA })).toEqual({});
    expect(problems({ incident: OLD, hypothesis: NEW })).toEqual({});
  });

  test('a new incident needs type and severity, which have defaults, and no hypothesis', () => {
    expect(problems({ incident: NEW })).toEqual({});
    expect(problems({ incident: NEW, type: '', severity: '' })).toEqual({
      type: 'Please select an incident type',
      severity: 'Please select incident severity',
    });
    expect(problems({ incident: OLD, hypothesis: IDEA, type: '', severity: '' })).toEqual({});
  });
});

const DRAFTS: EvidenceDraft[] = [
  {
    type: 'check',
    description: 'api is unhealthy',
    check_id: '33333333-3333-4333-8333-333333333333',
    evidence: { status: 'unhealthy', missing: undefined },
  },
  { type: 'comment', description: 'Seen on the wall' },
];

function plan(values: Partial<LinkValues>, rootId: string | null = null) {
  let count = 0;
  const newId = () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;
  return linkPlan({ values: { ...LINK_DEFAULTS, ...values }, drafts: DRAFTS, rootId, newId });
}
const names = (made: ReturnType<typeof plan>) => made?.requests.map(({ name }) => name);

describe('linking as commands', () => {
  test('onto what is there only adds the evidence, to the hypothesis that was chosen', () => {
    const made = plan({ incident: OLD, hypothesis: IDEA });
    expect(names(made)).toEqual(['add_evidence', 'add_evidence']);
    expect(made?.incidentId).toBe(OLD.id);
    for (const { args } of made?.requests ?? [])
      expect(args).toMatchObject({ incidentId: OLD.id, hypothesisId: IDEA.id });
  });

  test('a new hypothesis stands below the root, or is the root where there is none', () => {
    expect(plan({ incident: OLD, hypothesis: NEW }, IDEA.id)?.requests[0]).toMatchObject({
      name: 'create_hypothesis',
      args: { parentId: IDEA.id, type: 'factor', title: NEW.title },
    });
    expect(plan({ incident: OLD, hypothesis: NEW })?.requests[0]).toMatchObject({
      args: { parentId: null, type: 'root' },
    });
  });

  test('a new incident gets the evidence on its own hypothesis, or on a new one below it', () => {
    const [made, evidence] = plan({ incident: NEW, severity: 'high' })?.requests ?? [];
    expect(made).toMatchObject({ name: 'create_incident', args: { title: NEW.title, severity: 'high' } });
    expect(evidence?.args).toMatchObject({
      hypothesisId: made?.name === 'create_incident' ? made.args.rootHypothesisId : null,
    });
    expect(names(plan({ incident: NEW, hypothesis: NEW }))).toEqual([
      'create_incident',
      'create_hypothesis',
      'add_evidence',
      'add_evidence',
    ]);
  });

  test('makes commands that the outbox takes, in an order that it keeps', () => {
    const requests = plan({ incident: NEW, hypothesis: NEW })?.requests ?? [];
    const made = new Set<string>();
    for (const request of requests) {
      const { definition, args } = parseCommand(request);
      const [own] = definition.creates(args);
      // Whatever it touches besides itself was made by one before.
      expect(
        definition.touches(args).filter((id) => !made.has(id) && !definition.creates(args).includes(id)),
      ).toEqual([]);
      for (const id of definition.creates(args)) made.add(id);
      expect(own).toBeDefined();
    }
  });

  test('is not possible with nothing chosen', () => {
    expect(plan({})).toBeNull();
    expect(plan({ incident: OLD })).toBeNull();
  });
});
