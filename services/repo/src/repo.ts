import { RepoRecordsEnded } from '@forgelog/contracts/shared/records-ended.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { tellingEndedRecords } from '@forgelog/service-kit/ended-records.ts';
import type { GitTransport } from '@forgelog/service-kit/git-transport.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { composeService } from '@forgelog/service-kit/slice.ts';
import { projectAvatarSlice } from './avatars/project-avatar.slice.ts';
import { badgeSlice } from './badges/badge.slice.ts';
import { branchSlice } from './branches/branch.slice.ts';
import { changelogSlice } from './changelog/changelog.slice.ts';
import { codeOwnerSlice } from './code-owners/code-owner.slice.ts';
import { commitSlice } from './commits/commit.slice.ts';
import { projectAttributesSlice } from './custom-attributes/project-attributes.slice.ts';
import { debianDistributionSlice } from './debian-distributions/debian-distribution.slice.ts';
import { debianPackageSlice } from './debian-packages/debian-package.slice.ts';
import { dependencySlice } from './dependencies/dependency.slice.ts';
import { diffLineSlice } from './diff-lines/diff-line.slice.ts';
import { fileSlice } from './files/file.slice.ts';
import { languageSlice } from './languages/language.slice.ts';
import { mergeSlice } from './merges/merge.slice.ts';
import { packageSlice } from './packages/package.slice.ts';
import { createRepoPorts } from './ports.ts';
import { projectSlice } from './projects/project.slice.ts';
import { ONE_STORAGE, type Storages } from './projects/storages.ts';
import { protectedBranchSlice } from './protected-branches/protected-branch.slice.ts';
import { protectedTagSlice } from './protected-tags/protected-tag.slice.ts';
import { pushRuleSlice } from './push-rules/push-rule.slice.ts';
import { releaseSlice } from './releases/release.slice.ts';
import { repositoryContentSlice } from './repository-content/repository-content.slice.ts';
import { repositoryStorageSlice } from './repository-storage/repository-storage.slice.ts';
import { repoSearchSlice } from './search/repo-search.slice.ts';
import { refusingDeleted } from './shared/deleted-projects.ts';
import { signatureSlice } from './signatures/signature.slice.ts';
import { snippetSlice } from './snippets/snippet.slice.ts';
import { snippetGitSlice } from './snippets/snippet-git.slice.ts';
import { createSnippetTransport } from './snippets/snippet-git-transport.ts';
import { storageMoveSlice } from './storage-moves/storage-move.slice.ts';
import { submoduleSlice } from './submodules/submodule.slice.ts';
import { tagSlice } from './tags/tag.slice.ts';
import { templateSlice } from './templates/template.slice.ts';
import { topicSlice } from './topics/topic.slice.ts';
import { uploadSlice } from './uploads/upload.slice.ts';
import { wikiSlice } from './wikis/wiki.slice.ts';
import { wikiAttachmentSlice } from './wikis/wiki-attachment.slice.ts';
import { wikiGitSlice } from './wikis/wiki-git.slice.ts';
import { createWikiTransport } from './wikis/wiki-git-transport.ts';

/** Lists the slices of the repo service. It shows every project, and holds the repositories of one storage. */
export function createRepo(
  service: ServicePorts,
  storages: Storages = ONE_STORAGE,
): Service & { transport: GitTransport } {
  const ports = createRepoPorts(service, storages);
  const storage = repositoryStorageSlice(ports);
  const slices = [
    projectSlice,
    projectAttributesSlice,
    badgeSlice,
    topicSlice,
    templateSlice,
    snippetSlice,
    snippetGitSlice,
    wikiSlice,
    wikiGitSlice,
    wikiAttachmentSlice,
    debianDistributionSlice,
    debianPackageSlice,
    repositoryContentSlice,
    changelogSlice,
    fileSlice,
    branchSlice,
    protectedBranchSlice,
    protectedTagSlice,
    pushRuleSlice,
    tagSlice,
    commitSlice,
    signatureSlice,
    submoduleSlice,
    languageSlice(),
    dependencySlice(),
    uploadSlice,
    packageSlice,
    projectAvatarSlice,
    mergeSlice,
    codeOwnerSlice,
    diffLineSlice,
    storage.slice,
    storageMoveSlice,
    // Read repositories by themselves, so they start after their storage and stop before it.
    releaseSlice,
    repoSearchSlice,
  ];
  const composed = tellingEndedRecords(composeService('repo', ports, slices), RepoRecordsEnded, ports);
  return {
    ...composed,
    implementations: refusingDeleted(ports.repositories, composed.implementations),
    transport: {
      ...storage.transport,
      snippets: createSnippetTransport(ports),
      wikis: createWikiTransport(ports),
    },
  };
}
