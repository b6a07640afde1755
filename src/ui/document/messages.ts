/** Everything that forms of documents say. */
export const messages = {
  view: 'Edit as',
  views: { form: 'Form', yaml: 'YAML' },
  notFormable: 'This text is not valid YAML yet: mend it in the YAML view, then the form shows it again.',
  more: (count: number) => (count === 1 ? '1 more field' : `${count} more fields`),
  settings: 'More settings',
  add: 'Add',
  addEntry: 'Add another',
  kind: 'Kind',
  remove: (what: string) => `Remove ${what}`,
  entry: (kind: string, name: string) => (name === '' ? kind : `${kind}: ${name}`),
  others: (keys: readonly string[]) => `Also in the document, to edit as YAML: ${keys.join(', ')}`,
  onePerLine: 'One a line',
  byComma: 'Separated by commas',
  asYaml: 'As YAML',
  pairs: 'name: value, one a line',
  notSet: 'Not set',
  secret: {
    from: (label: string) => `${label}: where it is`,
    kinds: {
      value: 'Value',
      secretKeyRef: 'Secret',
      configMapKeyRef: 'Config map',
      helmRef: 'Value of a Helm release',
      serviceAccount: 'Token of a service account',
    },
    name: 'Name',
    key: 'Key',
    unchanged:
      'Kept on the server for where this calls now. If that changes, it is to be entered again, unless you may write connections.',
  },
  script: {
    language: (label: string) => `${label}: language`,
    within: (label: string) => `${label}: script`,
  },
  item: (label: string, at: number) => `${label} ${at}`,
} as const;
