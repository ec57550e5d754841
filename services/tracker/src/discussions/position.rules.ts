import { createHash } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { findDiffLine } from '@forgelog/contracts/repo/diff-lines/diff-line.operations.ts';
import type { Position } from '@forgelog/contracts/tracker/discussions/position.fields.ts';
import type { GivenPosition } from '@forgelog/contracts/tracker/discussions/position.params.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Discussed } from '../targets/target.ts';

/** The base of a first commit, in which everything is new. */
export const NO_COMMIT = '0'.repeat(40);
const SHA = /^[0-9a-f]{40}$/;

/** The text that clients of this API family know for a position without its line. */
const NO_LINE = `Note {:line_code=>["can't be blank", "must be a valid line code"]}`;
const refused = (reason = NO_LINE) => new Rejection('bad_request', { reason });

export const lineCodeOf = (path: string, oldLine: number, newLine: number): string =>
  `${createHash('sha1').update(path).digest('hex')}_${oldLine}_${newLine}`;

/**
 * The position that a caller gives, held against the diff that it names.
 * @throws bad_request where the diff has no such file or line
 */
export async function requirePosition(
  { operations }: Pick<ServicePorts, 'operations'>,
  on: Discussed,
  given: GivenPosition,
  principal: Principal,
): Promise<Position> {
  if (on.type === 'Epic') throw refused();
  const { projectId } = on;
  const oldPath = given.old_path || given.new_path;
  const newPath = given.new_path || given.old_path;
  const { base_sha: baseSha, start_sha: startSha, head_sha: headSha, position_type: kind } = given;
  if (!oldPath || !newPath || ![baseSha, startSha, headSha].every((sha) => SHA.test(sha))) throw refused();
  // What is said of a commit is about what it changed itself.
  if (on.type === 'Commit' && headSha !== on.sha) throw refused();
  const oldLine = given.old_line ?? null;
  const newLine = given.new_line ?? null;
  const asked = {
    projectId,
    fromSha: baseSha === NO_COMMIT ? null : baseSha,
    toSha: headSha,
    oldPath,
    newPath,
    oldLine,
    newLine,
  };
  const found = await operations.call(findDiffLine, asked, { principal });
  const shared = { kind, baseSha, startSha, headSha, oldPath, newPath };
  if (kind === 'image') {
    // An image has no lines: that its file changed is all that can be said.
    if ('refused' in found && found.refused !== 'no line') throw refused();
    return {
      ...shared,
      oldLine: null,
      newLine: null,
      lineCode: null,
      lineRange: null,
      point: pointOf(given),
    };
  }
  if ('refused' in found) throw refused();
  const paths = { oldPath: found.oldPath, newPath: found.newPath };
  const lineCode = lineCodeOf(paths.newPath, found.oldLine, found.newLine);
  return { ...shared, ...paths, oldLine, newLine, lineCode, lineRange: rangeOf(given), point: null };
}

function pointOf({ x, y, width, height }: GivenPosition) {
  if (x === undefined || y === undefined || !width || !height || x > width || y > height)
    throw refused('Note {:position=>["is invalid"]}');
  return { x, y, width, height };
}

type GivenEnd = NonNullable<NonNullable<GivenPosition['line_range']>['start']>;

function rangeOf({ line_range: range }: GivenPosition): Position['lineRange'] {
  return range?.start && range.end ? { start: endOf(range.start), end: endOf(range.end) } : null;
}

const endOf = ({ line_code, type, old_line, new_line }: GivenEnd) => ({
  lineCode: line_code ?? null,
  kind: type ?? null,
  oldLine: old_line ?? null,
  newLine: new_line ?? null,
});
