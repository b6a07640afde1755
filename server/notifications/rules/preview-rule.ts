/** What a rule would say, before it is saved: its filter and its texts, over a thing that such an event is about. */
import type { Previewed, PreviewRequest } from '../../../src/contract/http/notifications/rule-preview.ts';
import { defaultBody, defaultTitle } from '../../../src/domain/notification/default-message.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { environmentOf, isWanted, renderTemplate } from './rule-environment.ts';
import type { Sample } from './sample-query.ts';
import { factsOf } from './subject.ts';

type Problem = Previewed['problems'][number];

const NOTHING: Previewed = { about: null, at: null, title: '', body: '', isTold: null, problems: [] };
const LONGEST = 500;
/** A text for no service in particular. */
const CHANNEL = '';

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, LONGEST);

/** Of no sample it says nothing; what fails is named by its field, and the usual text stands in. */
export async function previewRule(
  { event, filter, title, template }: PreviewRequest,
  sample: Sample | null,
  deps: { expressions: Pick<Expressions, 'evaluate'>; publicUrl: string },
): Promise<Previewed> {
  if (sample === null) return NOTHING;
  const { subject, at } = sample;
  const facts = factsOf(event, subject.env);
  const variables = environmentOf({ event, subject, publicUrl: deps.publicUrl, channel: CHANNEL });
  const problems: Problem[] = [];
  const render = async (field: 'title' | 'template', text: string | null, usual: string) => {
    if ((text ?? '').trim() === '') return usual;
    try {
      return await renderTemplate(deps.expressions, text ?? '', variables);
    } catch (error) {
      problems.push({ field, message: reasonOf(error) });
      return usual;
    }
  };
  const verdict = await isWanted(deps.expressions, filter, variables);
  if (verdict.kind === 'error') problems.push({ field: 'filter', message: verdict.error });
  const usualTitle = defaultTitle(facts);
  return {
    about: { kind: facts.kind, id: subject.id, name: facts.name },
    at,
    title: (await render('title', title, usualTitle)).trim() || usualTitle,
    body: await render('template', template, defaultBody(facts)),
    isTold: verdict.kind === 'error' ? null : verdict.kind === 'yes',
    problems,
  };
}
