export interface ParsedFile {
  source: string;
  module: unknown;
  program: { body: unknown };
  comments: unknown;
}

export function parseFile(file: string): ParsedFile;
export function importsOf(file: string, parsed: ParsedFile): string[];
