export interface ImportRule {
  name: string;
  why: string;
  from: RegExp;
  to: RegExp;
  except?: string;
}
export const IMPORT_RULES: ImportRule[];
export function brokenRules(from: string, to: string): ImportRule[];
