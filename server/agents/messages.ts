/** What calls about clusters and agents say. */
export const NO_CLUSTER_PROXY =
  'This server passes no calls on to clusters, so it has no kubeconfig to offer';
