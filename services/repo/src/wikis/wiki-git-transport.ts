import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { READ_ONLY } from '@forgelog/service-kit/access.ts';
import type { GitService, RepositoryTransport, WikiGitRequest } from '@forgelog/service-kit/git-transport.ts';
import { userIdOf } from '@forgelog/service-kit/principal.ts';
import type { RepoPorts } from '../ports.ts';
import { createMadeTransport } from '../shared/made-transport.ts';
import { type WikiCommit, type WikiPlace, wikiDecider, wikiStream } from './wiki.decider.ts';
import { noteOf, pushedWiki, wikiReasonOf } from './wiki-push.rules.ts';
import { createWikiRepositories } from './wiki-repositories.ts';

/** A push brings less than this to the log; what was compressed may be larger for a while. */
const MOST_PACK_BYTES = 16 * 1024 * 1024;

/** Serves git over HTTP for wikis of projects and groups, to whom the API shows and lets write their pages. */
export function createWikiTransport(ports: RepoPorts): RepositoryTransport<WikiGitRequest> {
  const { commands, configuration, ids } = ports;
  const { upToDate } = createWikiRepositories(ports);

  async function permitted(service: GitService, { grant, principal }: WikiGitRequest): Promise<WikiPlace> {
    const ofProject = 'project' in grant;
    // They are for the repository of the project alone.
    if (principal?.deployToken) throw new Rejection('not_found', { what: 'Wiki' });
    if (ofProject ? !grant.can('wiki') : configuration.EDITION === 'free')
      throw new Rejection('not_found', { what: 'Wiki' });
    const place: WikiPlace = ofProject
      ? { projectId: grant.project.id, groupId: null }
      : { projectId: null, groupId: grant.group.id };
    if (service === 'git-upload-pack') return place;
    if (principal === null || userIdOf(principal) === null) throw new Rejection('forbidden', {});
    if (grant.level < AccessLevel.developer) throw new Rejection('forbidden', {});
    if (ofProject && grant.project.readOnly !== null)
      throw new Rejection('forbidden', { reason: READ_ONLY[grant.project.readOnly] });
    if (!ofProject && grant.group.isMarked)
      throw new Rejection('forbidden', { reason: 'The group is marked for deletion' });
    return place;
  }

  return createMadeTransport<WikiGitRequest, WikiPlace, WikiCommit>(
    {
      what: 'wiki',
      maxPackBytes: MOST_PACK_BYTES,
      permitted,
      upToDate,
      async check(updates, { target: place, reads, revision }) {
        const { state } = await commands.load(wikiDecider, wikiStream(place), { at: revision });
        const mostPageBytes = await settingNow(ports, 'wiki_page_max_content_bytes');
        const newIds = (count: number) => ids.many('wikiPage', count);
        const pushed = await pushedWiki(updates, { place, reads, state, mostPageBytes, newIds });
        const message = noteOf(pushed.noPages);
        return { commits: pushed.commits, ...(message !== undefined && { message }) };
      },
      record: (place, commits, { metadata, at }) =>
        commands.handle(wikiDecider, wikiStream(place), { type: 'PushWiki', ...place, commits }, metadata, {
          at,
        }),
      reasonOf: wikiReasonOf,
    },
    ports.log,
  );
}
