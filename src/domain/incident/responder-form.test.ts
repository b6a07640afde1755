import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  editField,
  formFields,
  isFilled,
  responderProperties,
  type FormField,
  type FormQuestion,
} from './responder-form.ts';
import { clientsOf, RESPONDER_TYPES, responderFields, responderTypeOf } from './responder-type.ts';

const NO_CLIENT = { defaults: {}, values: {}, linkUrl: null };
const VALUES = {
  projects: [
    {
      key: 'OPS',
      name: 'Operations',
      issueTypes: [
        { id: '1', name: 'Bug' },
        { id: '2', name: 'Task' },
      ],
      priorities: ['High', 'Low'],
    },
    { key: 'WEB', name: 'Website', issueTypes: [{ id: '3', name: 'Story' }], priorities: ['Urgent'] },
  ],
  plans: [
    { id: 'p1', name: 'Ops', buckets: [{ id: 'b1', name: 'New' }] },
    { id: 'p2', name: 'Web', buckets: [{ id: 'b2', name: 'Todo' }] },
  ],
};

function ask(part: Partial<FormQuestion>): Map<string, FormField> {
  const question: FormQuestion = {
    type: 'jira',
    client: { ...NO_CLIENT, values: VALUES },
    instances: [{ value: 'own', label: 'Jira' }],
    incident: { title: 'Shop is slow', severity: 'high' },
    edits: {},
    ...part,
  };
  return new Map(formFields(question).map((field) => [field.name, field]));
}

const labels = (field: FormField | undefined) => field?.options?.map(({ label }) => label);

/** The table of spec 3 §3 and §5, written out once more by hand. */
const FORMS: Record<(typeof RESPONDER_TYPES)[number], string> = {
  email: 'to subject body',
  jira: 'configType project issueType priority summary description',
  service_now: 'category description body',
  ca: 'category description body',
  aws_support: 'category description body',
  aws_ams_services_request: 'category description body',
  redhat: 'product category description body',
  oracle: 'product category description body',
  vmware: 'product category description body',
  ms_planner: 'configType plan_id bucket_id priority title description',
  webhook: 'title description',
  person: 'person',
};

describe('the form of a responder', () => {
  test.each(RESPONDER_TYPES)('%s asks what the specification says', (type) => {
    expect(
      responderFields(type)
        .map(({ name }) => name)
        .join(' '),
    ).toBe(FORMS[type]);
  });

  test('a type from the future asks for a title and a description', () => {
    expect(responderFields('pager').map(({ name }) => name)).toEqual(['title', 'description']);
    expect(responderFields('toString').map(({ name }) => name)).toEqual(['title', 'description']);
  });

  test('of Jira offers a project once an instance is chosen, the rest once a project is', () => {
    const disabled = (edits: Record<string, string>) =>
      [...ask({ edits }).values()].filter(({ isDisabled }) => isDisabled).map(({ name }) => name);
    expect(disabled({})).toEqual(['project', 'issueType', 'priority']);
    expect(disabled({ configType: 'own' })).toEqual(['issueType', 'priority']);
    const chosen = ask({ edits: { configType: 'own', project: 'WEB' } });
    expect(labels(chosen.get('project'))).toEqual(['Operations', 'Website']);
    expect(labels(chosen.get('issueType'))).toEqual(['Story']);
    expect(labels(chosen.get('priority'))).toEqual(['Urgent']);
  });

  test('of Jira empties project and issue type with another instance, the issue type with another project', () => {
    const edits = { configType: 'own', project: 'OPS', issueType: '1', summary: 'Slow' };
    expect(editField('jira', edits, { name: 'configType', value: 'other' })).toEqual({
      configType: 'other',
      summary: 'Slow',
    });
    expect(editField('jira', edits, { name: 'project', value: 'WEB' })).toEqual({
      configType: 'own',
      project: 'WEB',
      summary: 'Slow',
    });
  });

  test('of Planner empties the bucket with another plan', () => {
    const edits = { plan_id: 'p1', bucket_id: 'b1' };
    const next = editField('ms_planner', edits, { name: 'plan_id', value: 'p2' });
    expect(next).toEqual({ plan_id: 'p2' });
    expect(labels(ask({ type: 'ms_planner', edits: next }).get('bucket_id'))).toEqual(['Todo']);
    expect(ask({ type: 'ms_planner' }).get('bucket_id')?.isDisabled).toBe(true);
  });

  test('takes flat lists and maps as options, and free text where there are none', () => {
    const values = { category: ['Network', 'Disk'], product: { db: 'Database' }, body: 7 };
    const form = ask({ type: 'oracle', client: { ...NO_CLIENT, values } });
    expect(labels(form.get('category'))).toEqual(['Network', 'Disk']);
    expect(form.get('product')?.options).toEqual([{ value: 'db', label: 'Database' }]);
    expect(form.get('body')?.options).toBeNull();
    expect(form.get('description')?.options).toBeNull();
  });
});

describe('defaults of a team', () => {
  const defaults = {
    project: 'Operations',
    issueType: 'Bug',
    summary: '[{{.incident.severity}}] ${incident.title}',
    description: '{{form.summary}} in {{form.project}}{{incident.nothing}}',
  };
  const client = { ...NO_CLIENT, values: VALUES, defaults };

  test('fill what was not edited, from the incident and the form, and follow both', () => {
    const none = ask({ client });
    expect(none.get('summary')?.value).toBe('[high] Shop is slow');
    expect(none.get('description')?.value).toBe('[high] Shop is slow in ');
    const some = ask({ client, edits: { configType: 'own', summary: 'Slow' } });
    expect(some.get('project')?.value).toBe('OPS');
    expect(some.get('issueType')?.value).toBe('1');
    expect(some.get('description')?.value).toBe('Slow in OPS');
  });

  test('know the incident by the short names that the server fills in as well', () => {
    const short = {
      summary: '{{number}}: {{title}} (${severity})',
      description: '{{ incident_id }}{{nothing}}',
    };
    const form = ask({
      client: { ...client, defaults: short },
      incident: { incident_id: 'INC-7', title: 'Shop is slow', severity: 'high' },
    });
    expect(form.get('summary')?.value).toBe('INC-7: Shop is slow (high)');
    expect(form.get('description')?.value).toBe('INC-7');
    expect(form.get('summary')?.isLeftToServer).toBe(false);
  });

  test('that name a number which is not given yet are left to the server, until somebody edits them', () => {
    const short = { summary: '{{number}}: {{title}}', description: '{{title}}' };
    const question = {
      client: { ...client, defaults: short },
      incident: { incident_id: '', title: 'Shop is slow' },
    };
    const left = ask(question);
    expect(left.get('summary')?.value).toBe('INC-…: Shop is slow');
    const sent = responderProperties('jira', [...left.values()]);
    expect(Object.hasOwn(sent, 'summary')).toBe(false);
    expect(sent.description).toBe('Shop is slow');
    const edited = ask({ ...question, edits: { summary: 'Slow' } });
    expect(responderProperties('jira', [...edited.values()]).summary).toBe('Slow');
  });

  test('may name the incident’s fields alone, as the server reads them', () => {
    const form = ask({ client: { ...client, defaults: { summary: '{{severity}}: {{.title}} ${nothing}' } } });
    expect(form.get('summary')?.value).toBe('high: Shop is slow ');
  });

  test('never come back over what the user emptied', () => {
    expect(ask({ client, edits: { summary: '' } }).get('summary')?.value).toBe('');
  });

  test('that fill each other in a circle end', () => {
    const circle = { summary: 'a{{form.description}}', description: 'b{{form.summary}}' };
    const form = ask({ client: { ...client, defaults: circle } });
    expect(form.get('summary')?.value).toBe('ab');
    expect(form.get('description')?.value).toBe('ba');
  });

  test('that ask for each other very often are soon done, and no longer than they may be', () => {
    const many = (name: string) => `{{form.${name}}}`.repeat(1500);
    const endless = { summary: many('description'), description: many('priority'), priority: 'x'.repeat(99) };
    const form = ask({
      type: 'jira',
      client: { ...NO_CLIENT, defaults: endless },
      edits: { configType: 'own', project: 'P' },
    });
    expect(form.get('summary')?.value.length).toBe(20_000);
  });
});

describe('what is sent', () => {
  test('holds the type as plain text beside the trimmed fields', () => {
    expect(responderProperties('email', [{ name: 'to', value: ' a@b.co ', isLeftToServer: false }])).toEqual({
      responderType: 'email',
      to: 'a@b.co',
    });
  });

  test('needs every field, and addresses of mail where there must be some', () => {
    expect(isFilled('jira', { name: 'summary', value: '  ' })).toBe(false);
    expect(isFilled('jira', { name: 'summary', value: 'x' })).toBe(true);
    expect(isFilled('email', { name: 'to', value: 'a@b.co; c@d.co' })).toBe(true);
    expect(isFilled('email', { name: 'to', value: 'a@b.co, nobody' })).toBe(false);
  });

  test('is never a value that its options do not have, nor one whose condition is not met', () => {
    const edits = fc.dictionary(
      fc.constantFrom('configType', 'project', 'issueType', 'priority', 'summary'),
      fc.constantFrom('own', 'OPS', 'WEB', '1', '2', '3', 'High', 'Urgent', 'Bug', ''),
    );
    fc.assert(
      fc.property(edits, (given) => {
        const form = ask({ edits: given });
        for (const { name, value, needs, options, isDisabled } of form.values()) {
          if (needs !== null && form.get(needs)?.value === '') expect(value).toBe('');
          if (options !== null && value !== '')
            expect(options.map((option) => option.value)).toContain(value);
          if (options === null && !isDisabled) expect(value).toBe(given[name] ?? '');
        }
      }),
    );
  });
});

describe('what is read', () => {
  test('the type of a row, also where a former client stored the whole option', () => {
    expect(responderTypeOf({ responderType: 'jira' })).toBe('jira');
    expect(responderTypeOf({ responderType: { label: 'Jira', value: 'jira' } })).toBe('jira');
    expect(responderTypeOf({ responderType: { label: 'Jira', type: 'jira' } })).toBe('jira');
    expect(responderTypeOf({ responderType: '' })).toBeNull();
    expect(responderTypeOf(null)).toBeNull();
  });

  test('clients of a team in a steady order, whatever the row holds', () => {
    const clients = clientsOf({
      responder_clients: { zeta: {}, jira: { linkUrl: 'https://j/{{id}}', values: [] }, email: null },
    });
    expect([...clients.keys()]).toEqual(['email', 'jira', 'zeta']);
    expect(clients.get('jira')).toEqual({ defaults: {}, values: {}, linkUrl: 'https://j/{{id}}' });
    expect(clientsOf({}).size).toBe(0);
    expect(clientsOf({ responder_clients: 'x' }).size).toBe(0);
  });
});
