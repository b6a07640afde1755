/** An event of the window: the app's own script could not be loaded, or failed (watch-files.ts). */
export const NOT_STARTED = 'holdfast-not-started';
