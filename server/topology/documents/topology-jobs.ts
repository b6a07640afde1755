/** How the work on topologies stands in the job history (schema §6.2, §8.3). */
const RESOURCE = { resourceType: 'topology' } as const;

/** Of building one. */
export const runJob = (topologyId: string) => ({ ...RESOURCE, name: 'Topology', resourceId: topologyId });

/** Of reading its document. */
export const readingJob = (topologyId: string) => ({
  ...RESOURCE,
  name: 'SyncTopology',
  resourceId: topologyId,
});

/** Runs that nobody ended; whoever builds a topology holds its lease. */
export const LEFT_RUNS = { ...RESOURCE, name: 'Topology', leasePrefix: 'topology/' } as const;
