import { createHash } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ReleaseEvent } from '@forgelog/contracts/repo/releases/release.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { evidenceOf, type Released } from './release-evidence.ts';
import { type LinkAttributes, type ReleaseLink, requireValidLinks } from './release-link.rules.ts';

interface Attributes {
  name: string;
  description: string | null;
  /** ISO 8601, UTC. */
  releasedAt: string;
  milestoneIds: readonly number[];
}

/** As events have them. */
type Stored = Omit<Attributes, 'milestoneIds'> & { milestoneIds: number[] };

interface Release extends Attributes {
  releaseId: number;
  links: readonly ReleaseLink[];
  evidences: number;
}

/** The release that a tag has now. */
export type ReleaseState = { status: 'absent' } | ({ status: 'present' } & Release);

type OfTag = { projectId: number; tagName: string };
type Changed<T> = { [Name in keyof T]?: T[Name] | undefined };
/** Evidence to collect if the release is out by now and has none. */
interface Collecting {
  now: string;
  evidence: { releaseEvidenceId: number; released: Released } | null;
}

export type ReleaseCommand = OfTag &
  (
    | ({
        type: 'CreateRelease';
        releaseId: number;
        userId: number;
        links: readonly ReleaseLink[];
      } & Attributes &
        Collecting)
    | ({ type: 'UpdateRelease'; changes: Changed<Attributes> } & Collecting)
    | { type: 'DeleteRelease' }
    /** Does nothing to another release that the tag has by now. */
    | { type: 'DeleteReleaseOfDeletedTag'; releaseId: number }
    | { type: 'AddReleaseLink'; link: ReleaseLink }
    | { type: 'UpdateReleaseLink'; releaseLinkId: number; changes: Changed<LinkAttributes> }
    | { type: 'RemoveReleaseLink'; releaseLinkId: number }
    /** Collects once more, whenever that is. */
    | { type: 'CollectEvidence'; releaseEvidenceId: number; released: Released }
    /** Does nothing unless the release came out and has no evidence, so that it can be repeated. */
    | ({ type: 'CollectDueEvidence' } & Collecting)
  );

/** A stream for each tag: of two creations at once, one finds the release of the other. */
export const releaseStream = (projectId: number, tagName: string) =>
  `release-${projectId}/${createHash('sha256').update(tagName).digest('hex')}`;

export const releaseDecider: Decider<ReleaseState, ReleaseCommand, ReleaseEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { projectId, tagName } = command;
    if (command.type === 'CreateRelease') {
      if (state.status === 'present') throw new Rejection('conflict', { message: 'Release already exists' });
      const { releaseId, userId, name, description, releasedAt, milestoneIds, links } = command;
      requireValid(command);
      requireValidLinks(links);
      requireSmall(command);
      const ids = { releaseId, projectId, tagName };
      const attributes = { name, description, releasedAt, milestoneIds: [...milestoneIds] };
      const release = { releaseId, ...attributes, links, evidences: 0 };
      return [
        { type: 'ReleaseCreated', data: { ...ids, userId, ...attributes } },
        ...links.map((link) => ({ type: 'ReleaseLinkAdded' as const, data: { ...ids, ...link } })),
        ...dueEvidence(ids, release, command),
      ];
    }
    if (command.type === 'DeleteReleaseOfDeletedTag') {
      const { releaseId } = command;
      if (state.status === 'absent' || state.releaseId !== releaseId) return [];
      return [{ type: 'ReleaseDeleted', data: { releaseId, projectId, tagName, reason: 'tag_deleted' } }];
    }
    if (state.status === 'absent') {
      if (command.type === 'CollectDueEvidence') return [];
      throw new Rejection('nothing_found');
    }
    const ids = { releaseId: state.releaseId, projectId, tagName };
    switch (command.type) {
      case 'UpdateRelease': {
        const { milestoneIds, ...changes } = command.changes;
        const change = changesFrom<Stored>(
          { ...state, milestoneIds: [...state.milestoneIds] },
          { ...changes, ...(milestoneIds && { milestoneIds: [...milestoneIds] }) },
        );
        if (change === null) return dueEvidence(ids, state, command);
        const changed = { ...state, ...change.changes };
        requireValid(changed);
        requireSmall(changed);
        return [
          { type: 'ReleaseUpdated', data: { ...ids, ...change } },
          ...dueEvidence(ids, changed, command),
        ];
      }
      case 'DeleteRelease':
        return [{ type: 'ReleaseDeleted', data: { ...ids, reason: 'deleted' } }];
      case 'AddReleaseLink': {
        const { link } = command;
        requireValidLinks([link], state.links);
        requireSmall({ ...state, links: [...state.links, link] });
        return [{ type: 'ReleaseLinkAdded', data: { ...ids, ...link } }];
      }
      case 'UpdateReleaseLink': {
        const { releaseLinkId } = command;
        const link = linkOf(state, releaseLinkId);
        const change = changesFrom<LinkAttributes>(link, command.changes);
        if (change === null) return [];
        const others = state.links.filter((other) => other !== link);
        const changed = { ...link, ...change.changes };
        requireValidLinks([changed], others);
        requireSmall({ ...state, links: [...others, changed] });
        return [{ type: 'ReleaseLinkUpdated', data: { releaseLinkId, ...ids, ...change } }];
      }
      case 'RemoveReleaseLink': {
        const { releaseLinkId } = linkOf(state, command.releaseLinkId);
        return [{ type: 'ReleaseLinkRemoved', data: { releaseLinkId, ...ids } }];
      }
      case 'CollectEvidence':
        return [evidenceOf(ids, state, command)];
      case 'CollectDueEvidence':
        return dueEvidence(ids, state, command);
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    if (event.type === 'ReleaseCreated') {
      const { releaseId, name, description, releasedAt, milestoneIds } = event.data;
      const release = { releaseId, name, description, releasedAt, milestoneIds };
      return { status: 'present', ...release, links: [], evidences: 0 };
    }
    if (state.status === 'absent') return state;
    switch (event.type) {
      case 'ReleaseUpdated':
        return { ...state, ...event.data.changes };
      case 'ReleaseDeleted':
        return { status: 'absent' };
      case 'ReleaseEvidenceCreated':
        return { ...state, evidences: state.evidences + 1 };
      case 'ReleaseLinkAdded': {
        const { releaseLinkId, name, url, filepath, linkType } = event.data;
        return { ...state, links: [...state.links, { releaseLinkId, name, url, filepath, linkType }] };
      }
      case 'ReleaseLinkUpdated': {
        const { releaseLinkId, changes } = event.data;
        const changed = (link: ReleaseLink) =>
          link.releaseLinkId === releaseLinkId ? { ...link, ...changes } : link;
        return { ...state, links: state.links.map(changed) };
      }
      case 'ReleaseLinkRemoved': {
        const { releaseLinkId } = event.data;
        return { ...state, links: state.links.filter((link) => link.releaseLinkId !== releaseLinkId) };
      }
      default:
        return event satisfies never;
    }
  },
};

function requireValid({ name }: Pick<Attributes, 'name'>): void {
  if (name.trim() === '') throw new Rejection('validation_failed', { fields: { name: ["can't be blank"] } });
}

/** In bytes, as evidence holds it. An append of 1 MiB takes the old text, the new one and evidence at once. */
const MOST_BYTES = 300_000;

function requireSmall({ name, description, links }: Pick<Release, 'name' | 'description' | 'links'>): void {
  const snapshot = JSON.stringify({ name, description, links });
  if (Buffer.byteLength(JSON.stringify(snapshot)) > MOST_BYTES)
    throw new Rejection('too_large', {
      what: `the release with its links is larger than ${MOST_BYTES} bytes`,
    });
}

function linkOf({ links }: Release, releaseLinkId: number): ReleaseLink {
  const link = links.find((one) => one.releaseLinkId === releaseLinkId);
  if (!link) throw new Rejection('record_not_found');
  return link;
}

function dueEvidence(
  ids: OfTag & { releaseId: number },
  release: Release,
  { evidence, now }: Collecting,
): ReleaseEvent[] {
  if (evidence === null || release.evidences > 0 || release.releasedAt > now) return [];
  return [evidenceOf(ids, release, evidence)];
}
