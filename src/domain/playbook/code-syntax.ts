/** Whether a parameter of code is some: apart from the other rules, since it brings a parser along. */
import { yamlDocument } from '../../lib/read-yaml.ts';

function jsonProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Why a text is not of that language; null when it is, or where there is no parser for it here. */
export function syntaxProblem(text: string, language: string): string | null {
  switch (language.toLowerCase()) {
    case 'json':
      return jsonProblem(text);
    case 'yaml':
    case 'yml': {
      const [error] = yamlDocument(text).errors;
      return error === undefined ? null : (error.message.split('\n')[0] ?? error.message);
    }
    default:
      return null;
  }
}
