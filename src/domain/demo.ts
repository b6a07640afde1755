/** Where everything that `npm start -- --demo` adds comes from: shown as the source, and how it is found again. */
export const DEMO_SOURCE = 'holdfast/demo';
