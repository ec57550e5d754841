import { getLanguages } from '@forgelog/contracts/repo/languages/language.api.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { findRevision } from '../shared/revisions.ts';
import type { LanguageShares } from './language-shares.ts';

export const languageRoutes =
  (shares: LanguageShares) =>
  ({ repositories }: RepoPorts): Implementation[] => [
    implementWithGit(getLanguages, async ({ project }) => {
      const repository = repositories.of(project.project.id);
      const revision = await findRevision(repository, project.project, undefined);
      return value(revision ? await shares.of(await repository.fileListing(revision.oid)) : {});
    }),
  ];
