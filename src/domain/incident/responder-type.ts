/** What a responder can be asked for, type by type (spec 3 §3, §5; contract §13). */
import { recordOf } from '../../lib/is-record.ts';

export interface ResponderField {
  name: string;
  /** Several lines. */
  isLong: boolean;
  /** The field without which this one can't be chosen. */
  needs: string | null;
  /** Fields that are emptied when this one is chosen. */
  clears: readonly string[];
}

export const RESPONDER_TYPES = [
  'email',
  'jira',
  'service_now',
  'ca',
  'aws_support',
  'aws_ams_services_request',
  'redhat',
  'oracle',
  'vmware',
  'ms_planner',
  'webhook',
  'person',
] as const;
export type ResponderType = (typeof RESPONDER_TYPES)[number];

const line = (name: string, more: Partial<ResponderField> = {}): ResponderField => ({
  name,
  isLong: false,
  needs: null,
  clears: [],
  ...more,
});
const long = (name: string): ResponderField => line(name, { isLong: true });

const REQUEST = [line('category'), line('description'), long('body')];
const PRODUCT = [line('product'), ...REQUEST];
/** What a team calls that has a client of a kind which we know nothing of. */
const PLAIN = [line('title'), long('description')];

const FIELDS: Readonly<Record<ResponderType, readonly ResponderField[]>> = {
  email: [line('to'), line('subject'), long('body')],
  jira: [
    line('configType', { clears: ['project', 'issueType'] }),
    line('project', { needs: 'configType', clears: ['issueType'] }),
    line('issueType', { needs: 'project' }),
    line('priority', { needs: 'project' }),
    line('summary'),
    long('description'),
  ],
  service_now: REQUEST,
  ca: REQUEST,
  aws_support: REQUEST,
  aws_ams_services_request: REQUEST,
  redhat: PRODUCT,
  oracle: PRODUCT,
  vmware: PRODUCT,
  ms_planner: [
    line('configType'),
    line('plan_id', { clears: ['bucket_id'] }),
    line('bucket_id', { needs: 'plan_id' }),
    line('priority'),
    line('title'),
    long('description'),
  ],
  webhook: PLAIN,
  person: [line('person')],
};

/** The fields of a type's form, in order. A type that this version doesn't know is asked for the plain ones. */
export function responderFields(type: string): readonly ResponderField[] {
  return Object.hasOwn(FIELDS, type) ? FIELDS[type as ResponderType] : PLAIN;
}

/** What can be asked of one type of a team's clients: replicated without what signs in there. */
export interface ResponderClient {
  defaults: Readonly<Record<string, unknown>>;
  values: Readonly<Record<string, unknown>>;
  linkUrl: string | null;
}

type Loose = Readonly<Record<string, unknown>>;

/** The clients of a team's row by type, in the order in which the types are listed, unknown ones last. */
export function clientsOf(team: Loose): ReadonlyMap<string, ResponderClient> {
  const clients = recordOf(team['responder_clients']);
  const order = (type: string) => {
    const at = (RESPONDER_TYPES as readonly string[]).indexOf(type);
    return at < 0 ? RESPONDER_TYPES.length : at;
  };
  const types = Object.keys(clients).toSorted((a, b) => order(a) - order(b) || a.localeCompare(b));
  return new Map(
    types.map((type) => {
      const { defaults, values, linkUrl } = recordOf(clients[type]);
      return [
        type,
        {
          defaults: recordOf(defaults),
          values: recordOf(values),
          linkUrl: typeof linkUrl === 'string' && linkUrl !== '' ? linkUrl : null,
        },
      ];
    }),
  );
}

/**
 * The type of a responder's row; null for none. Rows of the former client hold the whole option that was chosen
 * (contract §13 [!]), with the type as its value.
 */
export function responderTypeOf(properties: unknown): string | null {
  const { responderType } = recordOf(properties);
  const { value, type } = recordOf(responderType);
  const found = [responderType, value, type].find((one) => typeof one === 'string' && one !== '');
  return typeof found === 'string' ? found : null;
}

/** How a call by e-mail stands where the server has no mail server: it has reached nobody. */
export const WRITTEN_TO_FILE = 'Written to a file, no mail server';
