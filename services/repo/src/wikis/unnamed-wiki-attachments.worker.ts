import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createObjectSweeper, removeUnnamed } from '@forgelog/service-kit/object-sweeper.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { ALL_WIKI_ATTACHMENTS, namedWikiAttachment } from './wiki-attachment-key.ts';
import { wikiAttachments } from './wiki-attachments.projection.ts';

type SweepPorts = Pick<ServicePorts, 'objects' | 'readStore' | 'directory' | 'clock'>;

/** Removes files that no record names, which a kill left behind, and those that came to a deleted place. */
export const removeUnnamedWikiAttachments = (ports: SweepPorts, signal?: AbortSignal): Promise<void> =>
  removeUnnamed(
    ports,
    ALL_WIKI_ATTACHMENTS,
    async (key) => {
      const named = namedWikiAttachment(key);
      // Another part of the program may own a key of another form.
      if (!named) return true;
      const { projectId, groupId } = named.place;
      const row = await ports.readStore.get(wikiAttachments, named.id);
      if (row?.sha256 !== named.sha256 || row.projectId !== projectId || row.groupId !== groupId)
        return false;
      const place =
        projectId === null ? ports.directory.namespace(groupId) : ports.directory.project(projectId);
      return (await place) !== undefined;
    },
    signal,
  );

export const unnamedWikiAttachmentSweeper = (ports: SweepPorts & Pick<ServicePorts, 'log'>): Worker =>
  createObjectSweeper(ports, 'files of wikis that no record names', (signal) =>
    removeUnnamedWikiAttachments(ports, signal),
  );
