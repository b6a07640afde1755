/** From the service worker to a page: somebody tapped a notification. Apart from the schemas: the page has no use for them. */
export const OPEN_PAGE = 'OPEN_PAGE';
