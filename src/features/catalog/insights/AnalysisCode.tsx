import { CodeView } from '../../../ui/code/CodeView.tsx';
import { yamlText } from '../../../ui/code/yaml-text.ts';

/** What the analyzer says besides its message. A chunk of its own, since the reader is large. */
export function AnalysisCode({ analysis }: { analysis: unknown }) {
  return <CodeView text={yamlText(analysis)} />;
}
