import type { ObjectKey } from '@forgelog/object-store/object-store.ts';
import type { WikiPlace } from './wiki.decider.ts';

/* Keys name their owners first, and end in the digest. Two owners never share an object (ADR 47). */

interface Named {
  id: string;
  sha256: string;
}

export const ALL_WIKI_ATTACHMENTS = 'wiki-attachments/';

export const wikiAttachmentsOf = ({ projectId, groupId }: WikiPlace): string =>
  `${ALL_WIKI_ATTACHMENTS}${projectId === null ? `group-${groupId}` : `project-${projectId}`}/`;

export const wikiAttachmentKey = (place: WikiPlace, { id, sha256 }: Named): ObjectKey =>
  `${wikiAttachmentsOf(place)}${id}.${sha256}`;

const FORM = /^wiki-attachments\/(project|group)-(\d+)\/([0-9a-f]{32})\.([0-9a-f]{64})$/;

/** What a key stands for; undefined for one that no attachment has. */
export function namedWikiAttachment(key: ObjectKey): (Named & { place: WikiPlace }) | undefined {
  const [, kind, owner, id, sha256] = FORM.exec(key) ?? [];
  if (id === undefined || sha256 === undefined) return undefined;
  const place: WikiPlace =
    kind === 'project'
      ? { projectId: Number(owner), groupId: null }
      : { projectId: null, groupId: Number(owner) };
  return { place, id, sha256 };
}
