/** The host as a name for the kubeconfig's file and for the cluster in it. */
export function kubeconfigSlug(hostname: string): string {
  return (
    hostname
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'holdfast'
  );
}

/** As the download is called. */
export function kubeconfigFileName(hostname: string): string {
  return `${kubeconfigSlug(hostname)}-kubeconfig.yaml`;
}
