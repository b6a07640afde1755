import type { ParseResult } from 'oxc-parser';
export function bareExports(file: Pick<ParseResult, 'program' | 'comments'> & { source: string }): string[];
