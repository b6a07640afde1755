/** Version of this app; the server answers with it and compares what clients send. */
export const APP_VERSION = '0.1.0';

/** Put in when the app and the server are built; not there where they run from their sources. */
declare const CONTRACT_STAMP_OF_BUILD: string | undefined;

/**
 * Changes with what app and server tell each other: what is not read through a schema is taken from a server with the
 * same one only.
 */
export const CONTRACT_STAMP =
  typeof CONTRACT_STAMP_OF_BUILD === 'undefined' ? 'sources' : CONTRACT_STAMP_OF_BUILD;
