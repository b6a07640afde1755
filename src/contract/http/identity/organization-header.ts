/**
 * On a call: for which organisation it is meant, so that one that was chosen meanwhile is never written to or read
 * from by mistake. On an answer: which one it comes from; absent where there are none.
 */
export const ORGANIZATION_HEADER = 'holdfast-organization';
