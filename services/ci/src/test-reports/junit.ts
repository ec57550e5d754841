import { setImmediate as nextTurn } from 'node:timers/promises';
import { SaxesParser } from 'saxes';

export type CaseStatus = 'success' | 'failed' | 'error' | 'skipped';

export interface TestCase {
  status: CaseStatus;
  name: string;
  classname: string;
  /** In seconds. */
  executionTime: number;
  /** What the test says of its failure; null if it says nothing. */
  systemOutput: string | null;
}

/** How much of a report is kept. A report beyond `cases` or `depth` is refused; longer texts are cut. */
export interface JUnitLimits {
  cases: number;
  depth: number;
  nameLength: number;
  outputLength: number;
}

export const JUNIT_LIMITS: JUnitLimits = {
  cases: 100_000,
  depth: 64,
  nameLength: 1024,
  outputLength: 16_384,
};

/** Characters that are parsed between two turns of other requests. */
const SLICE = 65_536;

const STATUS_OF: Readonly<Record<string, CaseStatus>> = {
  failure: 'failed',
  error: 'error',
  skipped: 'skipped',
};
/** A case that fails and is skipped counts as failed. */
const WEIGHT: readonly CaseStatus[] = ['success', 'skipped', 'error', 'failed'];

/**
 * Reads the test cases of a report in JUnit's XML, as it arrives. Suites may be nested. Entities of its own, and with
 * them their growth, are not known to the parser.
 * @throws Error that says what is wrong, and where
 */
export async function readJUnit(text: string, limits: JUnitLimits = JUNIT_LIMITS): Promise<TestCase[]> {
  const cases: TestCase[] = [];
  const parser = new SaxesParser();
  let depth = 0;
  let current: TestCase | undefined;
  /** Text of a failure, and the depth of its element. */
  let output: { depth: number; message: string; text: string } | undefined;

  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > limits.depth) throw new Error(`elements are nested deeper than ${limits.depth}`);
    const attribute = (of: string) =>
      ((attributes as Record<string, string>)[of] ?? '').slice(0, limits.nameLength);
    if (name === 'testcase') {
      if (cases.length === limits.cases) throw new Error(`there are more than ${limits.cases} test cases`);
      current = {
        status: 'success',
        name: attribute('name'),
        classname: attribute('classname'),
        executionTime: secondsIn(attribute('time')),
        systemOutput: null,
      };
      cases.push(current);
      return;
    }
    const status = current && !output ? STATUS_OF[name] : undefined;
    if (!current || !status || WEIGHT.indexOf(status) <= WEIGHT.indexOf(current.status)) return;
    current.status = status;
    output = { depth, message: attribute('message'), text: '' };
  });
  const read = (more: string) => {
    if (output && output.text.length < limits.outputLength) output.text += more.slice(0, limits.outputLength);
  };
  parser.on('text', read);
  parser.on('cdata', read);
  parser.on('closetag', ({ name }) => {
    if (output?.depth === depth) {
      const said = output.text.trim() || output.message;
      current!.systemOutput = said === '' ? null : said.slice(0, limits.outputLength);
      output = undefined;
    }
    if (name === 'testcase') current = undefined;
    depth -= 1;
  });

  for (let at = 0; at < text.length; at += SLICE) {
    parser.write(text.slice(at, at + SLICE));
    await nextTurn();
  }
  parser.close();
  return cases;
}

/** Some reporters group digits: `1,234.5`. */
function secondsIn(text: string): number {
  const seconds = Number(text.replaceAll(',', ''));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}
