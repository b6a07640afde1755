/** JUnit's XML reports as scripts see them: suites with their tests, and what they add up to. Nothing of a document type is read. */
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';

type Status = 'passed' | 'failed' | 'skipped' | 'error';
interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  error: number;
  /** s */
  duration: number;
}
interface TestCase {
  name: string;
  classname: string;
  duration: number;
  status: Status;
  message: string;
  stdout: string;
  stderr: string;
}
type TestSuite = Totals & { name: string; tests: TestCase[] };
export type TestReport = Totals & { suites: TestSuite[] };

const MAX_TEXT = 4000;
const LISTS = new Set(['testsuite', 'testcase', 'failure', 'error', 'skipped']);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  parseTagValue: false,
  processEntities: true,
  isArray: (name) => LISTS.has(name),
});

const text = z.coerce.string().catch('');
const seconds = z.coerce.number().nonnegative().catch(0);
/** `<failure message="…">text</failure>`, also without either. */
const said = z
  .array(
    z.union([
      z.string().transform((own) => ({ message: '', own })),
      z
        .object({ message: text, '#text': text })
        .transform((one) => ({ message: one.message, own: one['#text'] })),
    ]),
  )
  .optional();
const caseSchema = z.object({
  name: text,
  classname: text,
  time: seconds,
  failure: said,
  error: said,
  skipped: said,
  'system-out': text,
  'system-err': text,
});
interface Suite {
  name: string;
  testcase?: z.output<typeof caseSchema>[] | undefined;
  testsuite?: Suite[] | undefined;
}
const suiteSchema: z.ZodType<Suite> = z.lazy(() =>
  z.object({
    name: text,
    testcase: z.array(caseSchema).optional(),
    testsuite: z.array(suiteSchema).optional(),
  }),
);
const reportSchema = z.object({
  testsuites: z
    .object({ testsuite: z.array(suiteSchema).default([]) })
    .optional()
    .catch(undefined),
  testsuite: z.array(suiteSchema).optional(),
});

const STATUSES = ['error', 'failure', 'skipped'] as const;
const STATUS_OF: Readonly<Record<(typeof STATUSES)[number], Status>> = {
  error: 'error',
  failure: 'failed',
  skipped: 'skipped',
};

function testOf(one: z.output<typeof caseSchema>): TestCase {
  const found = STATUSES.find((name) => one[name] !== undefined);
  const [why] = found === undefined ? [] : (one[found] ?? []);
  return {
    name: one.name,
    classname: one.classname,
    duration: one.time,
    status: found === undefined ? 'passed' : STATUS_OF[found],
    message: (why?.message || why?.own || '').slice(0, MAX_TEXT),
    stdout: one['system-out'].slice(0, MAX_TEXT),
    stderr: one['system-err'].slice(0, MAX_TEXT),
  };
}

/** Added up. */
export function totalsOf(tests: readonly Pick<TestCase, 'status' | 'duration'>[]): Totals {
  const of = (status: Status) => tests.filter((one) => one.status === status).length;
  return {
    passed: of('passed'),
    failed: of('failed'),
    skipped: of('skipped'),
    error: of('error'),
    duration: tests.reduce((sum, { duration }) => sum + duration, 0),
  };
}

function* suitesOf({ name, testcase = [], testsuite = [] }: Suite): Generator<TestSuite> {
  const tests = testcase.map(testOf);
  if (tests.length > 0 || testsuite.length === 0) yield { name, tests, ...totalsOf(tests) };
  for (const one of testsuite) yield* suitesOf(one);
}

/** The suites of one file; throws for what is no report. */
export function readReport(file: string, xml: string): TestSuite[] {
  if (/<!DOCTYPE/i.test(xml)) throw new AppError('bad_payload', `${file}: a document type is not read`);
  let parsed: unknown;
  try {
    parsed = parser.parse(xml, true);
  } catch (error) {
    throw new AppError('bad_payload', `${file}: is no XML`, { cause: error });
  }
  const read = reportSchema.safeParse(parsed);
  const suites = read.success ? (read.data.testsuites?.testsuite ?? read.data.testsuite) : undefined;
  if (suites === undefined) throw new AppError('bad_payload', `${file}: is no report of JUnit`);
  return suites.flatMap((suite) => [...suitesOf(suite)]);
}
