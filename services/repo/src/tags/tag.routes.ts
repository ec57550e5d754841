import { Rejection } from '@forgelog/contracts/errors.ts';
import { createTag, deleteTag, getTag, listTags } from '@forgelog/contracts/repo/tags/tag.api.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { TagInfo } from '@forgelog/git/repository-reads.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
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
    grant: ProjectGrant,
    tags: readonly TagInfo[],
  ): Promise<ShownTag[]> {
    const { id: projectId } = grant.project;
    const access = await refAccess(grant);
    const names = tags.map(({ name }) => name);
    const releases = await ports.releasesOfTags(projectId, names);
    return Promise.all(
      tags.map(async (tag) => {
        const commit = tag.commitOid === undefined ? undefined : await repository.commit(tag.commitOid);
        return {
          ...tag,
          commit: commit && { ...commit, projectId },
          release: releases.get(tag.name) ?? null,
          protected: access.protectionOf(tag.ref) !== undefined,
        };
      }),
    );
  }

  async function rendered(grant: ProjectGrant, name: string) {
    const repository = repositories.of(grant.project.id);
    const [tag] = await shown(repository, grant, [await needTag(repository, name)]);
    return view.one(tag!);
  }

  return [
    implementWithGit(listTags, async ({ params, project: grant, page }) => {
      const repository = repositories.of(grant.project.id);
      const { order_by: by, sort: direction } = params;
      const upwards = await tagsInOrder(repository, by);
      const ordered = direction === 'desc' ? upwards.toReversed() : upwards;
      const { items: named, next } = pageOfNames(ordered, nameOf, page, params.search, `${by} ${direction}`, [
        { of: ({ key }) => key, direction },
        { of: nameOf, direction },
      ]);
      const tags = await Promise.all(named.map(({ name }) => repository.tag(name)));
      const there = tags.filter((tag) => tag !== undefined);
      return { kind: 'list', items: view.list(await shown(repository, grant, there)), next };
    }),

    implementWithGit(getTag, async ({ params, project: grant }) =>
      json(await rendered(grant, params.tag_name)),
    ),

    implementWithGit(createTag, async ({ params, project: grant, caller, metadata }) => {
      refuseEmpty(params, 'tag_name', 'ref');
      const { tag_name: name, message, ref: target } = params;
      await requireTaggable(ports, grant, name);
      await serializedPerRef(grant.project.id, TAGS + name, () =>
        makeTag(ports, grant.project, { name, target, message }, { caller, metadata }),
      );
      return json(await rendered(grant, name), { status: 201 });
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
