import { Rejection } from '@forgelog/contracts/errors.ts';
import { getCommitSignature } from '@forgelog/contracts/repo/commits/commit.api.ts';
import { getTagSignature } from '@forgelog/contracts/repo/tags/tag.api.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { needCommit, needRevision } from '../shared/revisions.ts';
import { describeSignature, type Signed } from './signature.query.ts';
import { createVerdicts } from './verdicts.ts';

export function signatureRoutes(ports: RepoPorts): Implementation[] {
  const { repositories } = ports;
  const asking = { ...ports, verdicts: createVerdicts() };
  const missing = () => new Rejection('not_found', { what: 'Signature' });

  async function answerOf(signed: Signed | undefined) {
    if (!signed) throw missing();
    return value(await describeSignature(asking, signed));
  }

  return [
    implementWithGit(getCommitSignature, async ({ params, project: { project } }) => {
      const repository = repositories.of(project.id);
      const oid = await needRevision(repository, project, params.sha, 'Commit');
      const { committer } = await needCommit(repository, oid);
      const signed = await repository.signed(oid, 'commit');
      return answerOf(signed && { ...signed, projectId: project.id, oid, email: committer.email });
    }),

    implementWithGit(getTagSignature, async ({ params, project: { project } }) => {
      const repository = repositories.of(project.id);
      const tag = await repository.tag(params.tag_name);
      if (!tag) throw new Rejection('not_found', { what: 'Tag' });
      if (!tag.annotation) throw missing();
      const { id: oid, tagger } = tag.annotation;
      const signed = await repository.signed(oid, 'tag');
      return answerOf(signed && { ...signed, projectId: project.id, oid, email: tagger?.email ?? '' });
    }),
  ];
}
