import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RequestOf } from '@forgelog/contracts/operation.ts';
import type { searchCodeAcross } from '@forgelog/contracts/repo/search/repo-search.operations.ts';
import { openCode } from '@forgelog/directory/open-code.ts';
import { and, asc, eq, has, isEmpty, not, oneOf } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { textOf } from '../code-index/code-index.ts';
import type { Candidate } from '../code-index/code-index-thread.ts';
import { isIndexed } from '../code-index/grams.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from '../projects/project.collection.ts';
import { conditionOf } from '../projects/project-filter.query.ts';
import { refusalOf } from '../shared/git-refusals.ts';
import { codeQuery } from './code-query.rules.ts';
import { CONFIRM_MS, confirmed, excerptAround } from './code-search.query.ts';
import type { FoundBlob } from './searched.view.ts';

type Asked = RequestOf<typeof searchCodeAcross>;

/** Projects that the index is asked for one by one; with more it is asked for all, and some are left out. */
const FEW = 1000;
/** Looks into the index for one page; each tells of up to 2,000 files. */
const MOST_LOOKS = 10;

/** Files of all projects of this storage, or of those of a group, whose code is open to the caller. */
export function codeAcross({ readStore, directory, storages, repositories, codeIndex }: RepoPorts) {
  async function readable(groupId: number | null, principal: Principal | null) {
    return and(
      await conditionOf({}, principal, { readStore, directory }),
      ...(groupId === null ? [] : [has('ancestors', groupId)]),
      eq('repositoryStorage', storages.own),
      not(isEmpty('defaultBranch')),
      await openCode(directory, principal, 'id'),
    );
  }

  /** null too for what was removed meanwhile. */
  async function textOfFile({
    projectId,
    oid,
  }: Pick<Candidate, 'projectId' | 'oid'>): Promise<string | null> {
    return textOf(repositories.of(projectId), oid).catch((error: unknown) => {
      if (refusalOf(error)) throw error;
      return null;
    });
  }

  async function find({ groupId, search, offset, limit }: Asked, principal: Principal | null) {
    const query = codeQuery(search);
    if (!isIndexed(query.text))
      throw new Rejection('invalid_parameters', {
        problems: ['search is too short (minimum is 3 characters)'],
      });
    const where = await readable(groupId, principal);
    const branches = new Map<number, string>();
    const learn = async (ids: readonly number[] | null, most: number) => {
      const among = ids === null ? where : and(where, oneOf('id', ids));
      const select = ['id', 'defaultBranch'] as const;
      const rows = await readStore.find(projects, { where: among, sort: [asc('id')], limit: most, select });
      for (const { id, defaultBranch } of rows) branches.set(id, defaultBranch!);
      return rows.map(({ id }) => id);
    };
    const few = await learn(null, FEW + 1);
    const isFew = few.length <= FEW;
    const found: Candidate[] = [];
    const end = performance.now() + CONFIRM_MS;
    let all = true;
    for (let look = 0, after = 0; ; look += 1) {
      if (look === MOST_LOOKS || found.length >= offset + limit) {
        all = false;
        break;
      }
      const some = isFew ? few.filter((id) => id > after) : null;
      const likely = some?.length === 0 ? [] : await codeIndex.across(some, after, search);
      if (likely.length === 0) break;
      after = likely.at(-1)!.projectId;
      if (!isFew) await learn([...new Set(likely.map(({ projectId }) => projectId))], likely.length);
      const open = likely.filter(({ projectId }) => branches.has(projectId));
      const sure = await confirmed(open, query, textOfFile, { most: offset + limit - found.length, end });
      found.push(...sure.files);
      all &&= sure.all;
    }
    const shown = found.slice(offset, offset + limit).map(
      async ({ projectId, path, oid }): Promise<FoundBlob> => ({
        ...{ projectId, path, oid, ref: branches.get(projectId)! },
        ...excerptAround(await textOfFile({ projectId, oid }), query.text),
      }),
    );
    return { blobs: await Promise.all(shown), total: all ? found.length : null };
  }

  return async (asked: Asked, principal: Principal | null) => {
    try {
      return await find(asked, principal);
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  };
}
