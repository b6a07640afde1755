/** Version of this app; the server answers with it and compares what clients send. */
export const APP_VERSION = '0.1.0';
