/** What playbooks run on in tests: a component, an item, a check, and an incident about it. */
/** Of what tests look at. */
export const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Ids of what tests look at. */
export const IDS = {
  component: idOf(910),
  config: idOf(911),
  restart: idOf(920),
  scale: idOf(921),
  dangerous: idOf(922),
  everything: idOf(923),
  approved: idOf(924),
  slow: idOf(925),
  valid: idOf(926),
  invalid: idOf(927),
  ticking: idOf(928),
  later: idOf(929),
  completed: idOf(930),
  failed: idOf(931),
  broken: idOf(932),
  sleeping: idOf(933),
  waiting: idOf(934),
  longStep: idOf(940),
  incident: idOf(950),
  check: idOf(951),
  given: idOf(958),
};

/** One that did a step and a run. */
export const AGENT = { id: idOf(950), name: 'edge-1' };
const PERSON = idOf(954);
const TEAM = idOf(959);

/** What a run of `Everything at once` was given. */
export const GIVEN = {
  reason: 'because',
  force: 'true',
  memory: '1Gi',
  values: 'a: 1',
  owner: PERSON,
  team: TEAM,
  target: IDS.component,
  item: IDS.config,
  probe: IDS.check,
};

/** Something that is wrong: an item and a check, and an incident with evidence of the check. */
export function troubledRows(): [table: string, rows: readonly object[]][] {
  const [canary, hypothesis] = [idOf(955), idOf(956)];
  const person = PERSON;
  const by = { created_by: person };
  const incident = {
    id: IDS.incident,
    title: 'Door is shut',
    description: '',
    severity: 'High',
    type: 'availability',
  };
  return [
    ['people', [{ id: person, name: 'Somebody' }]],
    ['teams', [{ id: TEAM, name: 'Night shift', created_by: person }]],
    [
      'config_items',
      [
        {
          id: IDS.config,
          name: 'pod-7',
          type: 'Test::Pod',
          config_class: 'Pod',
          external_id: ['pod-7'],
          path: '',
        },
      ],
    ],
    // An agent's: nothing here runs it.
    ['canaries', [{ id: canary, name: 'doors', namespace: 'default', spec: {}, agent_id: AGENT.id }]],
    [
      'checks',
      [
        {
          id: IDS.check,
          canary_id: canary,
          name: 'front door',
          type: 'http',
          status: 'unhealthy',
          agent_id: AGENT.id,
        },
      ],
    ],
    ['incidents', [{ ...incident, ...by, status: 'open' }]],
    [
      'hypotheses',
      [
        {
          id: hypothesis,
          incident_id: IDS.incident,
          type: 'root',
          title: 'Door is shut',
          status: 'possible',
          ...by,
        },
      ],
    ],
    [
      'evidences',
      [
        {
          id: idOf(957),
          hypothesis_id: hypothesis,
          check_id: IDS.check,
          description: '',
          type: 'check',
          ...by,
        },
      ],
    ],
  ];
}
