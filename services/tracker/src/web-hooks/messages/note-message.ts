import type { DiscussionEvent } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { notes, positions } from '../../discussions/discussions.collection.ts';
import { isThere as isIssue, issues } from '../../issues/issues.collection.ts';
import { isThere as isMergeRequest, mergeRequests } from '../../merge-requests/merge-requests.collection.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { commitOf, shownCommit } from './commit-facts.ts';
import { type HookFacts, spokenTime } from './hook-facts.ts';
import { issueAttributes } from './issue-message.ts';
import { mergeRequestAttributes } from './merge-request-message.ts';

type Noted = Extract<DiscussionEvent, { type: 'DiscussionStarted' | 'NoteAdded' | 'NoteEdited' }>['data'];

/** A comment as it is now, with what it is about. Nothing of what the system notes, and of epics. */
export async function noteMessage(
  ports: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, Noted>,
): Promise<HookMessage[]> {
  const { projectId, noteId } = event.data;
  const note = await ports.readStore.get(notes, noteId);
  const found = projectId === null ? undefined : await facts.projectOf(projectId);
  if (!note || note.system || !found || projectId === null) return [];
  const about = await subjectOf(ports, facts, event.data, projectId);
  if (!about) return [];
  const project = await facts.project(found);
  const position = note.onDiff ? await ports.readStore.get(positions, note.discussionId) : undefined;
  const confidential = note.confidential || about.confidential;
  const body = {
    object_kind: 'note',
    event_type: confidential ? 'confidential_note' : 'note',
    user: await facts.user(facts.actorOf(event) ?? note.authorId),
    project_id: projectId,
    project,
    repository: facts.repository(project),
    object_attributes: {
      id: note.id,
      note: note.text,
      description: note.text,
      noteable_type: note.noteableType,
      noteable_id: note.noteableId,
      author_id: note.authorId,
      project_id: projectId,
      attachment: null,
      line_code: position?.startLineCode ?? null,
      commit_id: note.commitId ?? event.data.noteableSha ?? '',
      discussion_id: note.discussionId,
      type: note.onDiff ? 'DiffNote' : note.threaded ? 'DiscussionNote' : null,
      system: false,
      st_diff: null,
      position: position
        ? {
            base_sha: position.baseSha,
            start_sha: position.startSha,
            head_sha: position.headSha,
            old_path: position.oldPath,
            new_path: position.newPath,
            position_type: position.kind,
            old_line: position.oldLine,
            new_line: position.newLine,
          }
        : null,
      created_at: spokenTime(note.createdAt),
      updated_at: spokenTime(note.updatedAt),
      action: event.type === 'NoteEdited' ? 'update' : 'create',
      url: `${about.url}#note_${note.id}`,
    },
    ...about.members,
  };
  const trigger = confidential ? 'confidential_note_events' : 'note_events';
  return [{ trigger, projectId, branch: null, body: JSON.stringify(body) }];
}

interface Subject {
  url: string;
  confidential: boolean;
  members: object;
}

async function subjectOf(
  ports: ServicePorts,
  facts: HookFacts,
  { noteableType, noteableIid, noteableId, noteableSha }: Noted,
  projectId: number,
): Promise<Subject | undefined> {
  const project = await facts.projectOf(projectId);
  if (!project) return undefined;
  const web = facts.webUrl(project);
  switch (noteableType) {
    case 'Issue': {
      const row = await ports.readStore.get(issues, placeOf(projectId, noteableIid!)!);
      if (!isIssue(row)) return undefined;
      const issue = await issueAttributes(facts, row);
      return { url: issue.url, confidential: row.confidential, members: { issue } };
    }
    case 'MergeRequest': {
      const row = await ports.readStore.get(mergeRequests, placeOf(projectId, noteableIid!)!);
      if (!isMergeRequest(row)) return undefined;
      const merge_request = await mergeRequestAttributes(ports, facts, row);
      return { url: merge_request.url, confidential: false, members: { merge_request } };
    }
    case 'Commit': {
      const commit = await commitOf(ports, projectId, noteableSha!);
      if (!commit) return undefined;
      const shown = shownCommit(facts, project, commit);
      return { url: shown.url, confidential: false, members: { commit: shown } };
    }
    case 'Snippet':
      return {
        url: `${web}/-/snippets/${noteableId}`,
        confidential: false,
        members: { snippet: { id: noteableId, project_id: projectId } },
      };
    case 'Epic':
      return undefined;
    default:
      return noteableType satisfies never;
  }
}
