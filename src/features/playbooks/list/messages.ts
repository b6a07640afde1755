/** Everything that the form of a playbook says. */
export const messages = {
  required: 'This field is required.',
  createTitle: 'Create Playbook Spec',
  editTitle: (title: string) => `Edit ${title}`,
  loading: 'Loading the playbook …',
  title: 'Title',
  category: 'Category',
  categoryHint: 'Cards with the same category stand together.',
  icon: 'Icon',
  description: 'Description',
  spec: 'Spec',
  create: 'Create',
  creating: 'Creating …',
  save: 'Save',
  saving: 'Saving …',
  created: (title: string) => `${title} created successfully`,
  updated: (title: string) => `${title} updated successfully`,
  stars: 'Stars stand for what signs in: left as they are, it is kept.',
  example: `components:
  - types: ['*']
parameters:
  - name: reason
    label: Reason
    type: text
actions:
  - name: Say hello
    exec:
      script: echo "Hello from $(hostname)"
`,
} as const;
