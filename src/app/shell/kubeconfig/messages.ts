/** What the download of a kubeconfig says. */
export const messages = {
  title: 'Download kubeconfig',
  what: 'A kubeconfig file lets kubectl reach the clusters behind this server, with your rights.',
  secret:
    'It holds an access token that opens those clusters in your name: keep it to yourself. It ends after a day (or 7 or 30, as you choose), with the next download and with a change of your password; your profile settings list and end it.',
  download: 'Make a kubeconfig file',
  use: 'Then point kubectl at the file:',
  command: (file: string) => `kubectl --kubeconfig ~/Downloads/${file} get pods --all-namespaces`,
  docs: 'More about the kubeconfig file',
  offline: 'There is no connection to the server: the file is made there, when it is asked for.',
} as const;
