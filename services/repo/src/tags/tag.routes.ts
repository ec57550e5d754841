import { Rejection } from '@forgelog/contracts/errors.ts';
import { createTag, deleteTag, getTag, listTags } from '@forgelog/contracts/repo/tags/tag.api.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { TagInfo } from '@forgelog/git/repository-reads.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import type { RefAccess } from '../refs/ref.access.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { moveRef } from '../shared/move-ref.commands.ts';
import { pageOfNames } from '../shared/name-search.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';
import { refuseEmpty } from '../shared/revisions.ts';
import { type ShownTag, tagJson } from './tag.view.ts';
import { makeTag, requireTaggable, TAG_IN_THE_WAY, TAGS } from './tag-creation.commands.ts';
import { type OrderedTag, tagsInOrder } from './tag-order.ts';

const nameOf = ({ name }: OrderedTag): string => name;

export function tagRoutes(ports: RepoPorts): Implementation[] {
  const { repositories, refAccess } = ports;

  const view = tagJson.renderer(ports);

  async function shown(
    repository: Repository,
    project: ProjectSummary,
    access: RefAccess,
    tag: TagInfo,
  ): Promise<ShownTag> {
    const commit = tag.commitOid === undefined ? undefined : await repository.commit(tag.commitOid);
    return {
      ...tag,
      commit: commit && { ...commit, projectId: project.id },
      release: (await ports.releaseOfTag(project.id, tag.name)) ?? null,
      protected: access.protectionOf(tag.ref) !== undefined,
    };
  }

  return [
    implementWithGit(listTags, async ({ params, project: grant, page }) => {
      const { project } = grant;
      const repository = repositories.of(project.id);
      const { order_by: by, sort: direction } = params;
      const upwards = await tagsInOrder(repository, by);
      const ordered = direction === 'desc' ? upwards.toReversed() : upwards;
      const { items: named, next } = pageOfNames(ordered, nameOf, page, params.search, `${by} ${direction}`, [
        { of: ({ key }) => key, direction },
        { of: nameOf, direction },
      ]);
      const tags = await Promise.all(named.map(({ name }) => repository.tag(name)));
      const there = tags.filter((tag) => tag !== undefined);
      const access = await refAccess(grant);
      const items = await Promise.all(there.map((tag) => shown(repository, project, access, tag)));
      return { kind: 'list', items: view.list(items), next };
    }),

    implementWithGit(getTag, async ({ params, project: grant }) => {
      const repository = repositories.of(grant.project.id);
      const tag = await needTag(repository, params.tag_name);
      return json(view.one(await shown(repository, grant.project, await refAccess(grant), tag)));
    }),

    implementWithGit(createTag, async ({ params, project: grant, caller, metadata }) => {
      refuseEmpty(params, 'tag_name', 'ref');
      const { tag_name: name, message, ref: target } = params;
      await requireTaggable(ports, grant, name);
      const repository = repositories.of(grant.project.id);
      await serializedPerRef(grant.project.id, TAGS + name, () =>
        makeTag(ports, grant.project, { name, target, message }, { caller, metadata }),
      );
      const access = await refAccess(grant);
      const tag = await shown(repository, grant.project, access, await needTag(repository, name));
      return json(view.one(tag), { status: 201 });
    }),

    implementWithGit(deleteTag, async ({ params, project: grant, metadata, headers }) => {
      const repository = repositories.of(grant.project.id);
      const access = await refAccess(grant);
      await serializedPerRef(grant.project.id, TAGS + params.tag_name, async () => {
        const { ref, oid, commitOid } = await needTag(repository, params.tag_name);
        if (!access.mayMove(ref, 'delete')) throw new Rejection('forbidden', {});
        const commit = commitOid === undefined ? undefined : await repository.commit(commitOid);
        if (commit) requireUnmodifiedSince(headers, commit.committer.date.seconds * 1000);
        const update = { ref, oldOid: oid, newOid: ZERO_OID };
        const moved = 'The tag was updated meanwhile';
        await moveRef(ports, grant.project.id, update, metadata, { moved, inTheWay: TAG_IN_THE_WAY });
      });
      return noContent();
    }),
  ];
}

/** @throws 404 for an invalid name too */
async function needTag(repository: Repository, name: string): Promise<TagInfo> {
  const tag = await repository.tag(name);
  if (!tag) throw new Rejection('not_found', { what: 'Tag' });
  return tag;
}
