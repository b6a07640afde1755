/**
 * Written into the document itself (scripts/first-visit-script.ts), so that it runs before any file of the app is there:
 * where nobody was here before, the server is asked at once for what the page begins with. Every byte of it is in each
 * answer of the document.
 */
import { beginFirstVisit, readSettingText } from '../data/client/platform-first-visit.ts';
import { firstHealthQuestion } from '../features/health/first-question.ts';
import { firstIncidentsQuestion } from '../features/incidents/list/incidents-question.ts';

beginFirstVisit(({ pathname, search }) => {
  if (pathname === '/health') return firstHealthQuestion(search, readSettingText);
  return pathname === '/incidents' ? firstIncidentsQuestion(search) : null;
});
