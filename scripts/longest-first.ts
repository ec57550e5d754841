import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG_TESTS } from './long-tests.ts';

/** What takes minutes on real servers, beside the long tests. */
const LONGEST = ['tests/system/schemathesis.test.ts', 'tests/ci/runner-protocol.test.ts', 'tests/bad-days/'];

/** Begins with the files that take longest: the last of them would keep one worker busy while all others have ended. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const among = (list: readonly string[], { moduleId }: TestSpecification) =>
      list.some((path) => moduleId.includes(`/${path}`));
    const rank = (file: TestSpecification) => (among(LONGEST, file) ? 2 : among(LONG_TESTS, file) ? 1 : 0);
    return sorted.sort((one, other) => rank(other) - rank(one));
  }
}
