/** What forms say of themselves. */
export const messages = {
  labels: {
    key: 'Name',
    value: 'Value',
    add: 'Add label',
    remove: (line: number) => `Remove label ${line}`,
  },
  secret: {
    kinds: { value: 'Value', secret: 'Secret', configmap: 'Config map' },
    kind: (label: string) => `${label}: where it is`,
    kept: 'Kept as it is; type to replace it',
    name: 'Name',
    key: 'Key',
  },
  overtaken:
    'What is kept was changed meanwhile. What you have typed is still here: saving it writes over that.',
  wrongFields: (count: number) =>
    count === 1 ? 'One field is not right yet.' : `${count} fields are not right yet.`,
} as const;
