import { commitLines, readLines } from '@forgelog/contracts/repo/diff-lines/suggested-line.operations.ts';
import { ObjectNotFoundError } from '@forgelog/git/errors.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { RepoPorts } from '../ports.ts';
import { NO_PROJECT, readableRepositories } from '../shared/readable-repository.ts';
import { linesOf } from './file-lines.ts';
import { commitSuggested, regularFile } from './suggested-commit.commands.ts';

/** What suggestions need of a repository. */
export function suggestedLineOperations(ports: RepoPorts): OperationImplementation[] {
  const readable = readableRepositories(ports);

  return [
    implementOperation(readLines, ({ request: { projectId, ranges }, principal }) =>
      readable.answer(projectId, principal, async ({ repository }) => {
        const files = Map.groupBy(ranges, ({ sha, path }) => `${sha} ${path}`);
        const texts = new Map<(typeof ranges)[number], string | null>();
        for (const ofFile of files.values()) {
          const { sha, path } = ofFile[0]!;
          const file = await regularFile(repository, sha, path).catch((error: unknown) => {
            if (error instanceof ObjectNotFoundError) return undefined;
            throw error;
          });
          const lines = file ? linesOf(file.content) : [];
          for (const range of ofFile) {
            const some = lines.slice(range.from - 1, range.to);
            texts.set(range, some.length === 0 ? null : Buffer.concat(some).toString('utf8'));
          }
        }
        return { texts: ranges.map((range) => texts.get(range)!) };
      }),
    ),

    implementOperation(commitLines, async ({ principal: caller, ...asked }) => {
      if (!caller) return NO_PROJECT;
      return readable.answer(asked.request.projectId, caller, (found) =>
        commitSuggested(ports, { ...asked, ...found, caller }),
      );
    }),
  ];
}
