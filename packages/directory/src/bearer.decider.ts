import type { GroupStreamEvent } from '@forgelog/contracts/admin/groups/group.events.ts';
import type { UserStreamEvent } from '@forgelog/contracts/admin/users/user.events.ts';
import type { ProjectStreamEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import {
  emailStream,
  type NameHolder,
  NameTakenError,
  projectNameStream,
  routeStream,
} from './name.decider.ts';

/** The names of a user, group or project; `gone` means deleted, or never to be created. */
export interface BearerState {
  status: 'absent' | 'present' | 'gone';
  kind?: NameHolder['kind'];
  parentId: number | null;
  path: string;
  /** Projects only; unique within the namespace. */
  name: string;
  email: string;
  /** Users only: their further addresses by id. */
  emails: Readonly<Record<number, string>>;
}

/** `names` are the names that the holder must not bear yet. @throws NameTakenError if it bears one */
export type BearerCommand = { type: 'ForfeitNames'; holder: NameHolder; names: readonly string[] };

export type BearerEvent = UserStreamEvent | GroupStreamEvent | ProjectStreamEvent;

/** The part of the user, group and project deciders that name claims need. */
export const bearerDecider: Decider<BearerState, BearerCommand, BearerEvent> = {
  initialState: { status: 'absent', parentId: null, path: '', name: '', email: '', emails: {} },

  decide({ holder, names }, state) {
    const borne = names.filter((name) => bears(state, name));
    if (borne.length > 0) throw new NameTakenError(borne);
    if (state.status === 'gone') return [];
    return [{ type: 'NameForfeited', data: { holder: holder.kind, holderId: holder.id } }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'UserCreated': {
        const { username: path, email } = event.data;
        return { ...state, status: 'present', kind: 'user', path, email };
      }
      case 'GroupCreated': {
        const { parentId, path } = event.data;
        return { ...state, status: 'present', kind: 'group', parentId, path };
      }
      case 'ProjectCreated': {
        const { namespaceId: parentId, path, name } = event.data;
        return { ...state, status: 'present', kind: 'project', parentId, path, name };
      }
      case 'UserUpdated': {
        const { username: path = state.path, email = state.email } = event.data.changes;
        return { ...state, path, email };
      }
      case 'UserEmailCreated': {
        const { userEmailId, email } = event.data;
        return { ...state, emails: { ...state.emails, [userEmailId]: email } };
      }
      case 'UserEmailDeleted': {
        const { [event.data.userEmailId]: _, ...emails } = state.emails;
        return { ...state, emails };
      }
      case 'GroupUpdated':
      case 'ProjectUpdated': {
        const { path = state.path, name = state.name } = event.data.changes;
        return { ...state, path, name };
      }
      case 'GroupTransferred': {
        const { parentId = state.parentId } = event.data.changes;
        return { ...state, parentId };
      }
      case 'ProjectTransferred':
        return { ...state, parentId: event.data.changes.namespaceId ?? state.parentId };
      case 'UserDeleted':
      case 'GroupDeleted':
      case 'ProjectDeleted':
      case 'ProjectCreationAbandoned':
        return { ...state, status: 'gone' };
      case 'NameForfeited':
        return state.status === 'absent' ? { ...state, status: 'gone' } : state;
      default:
        // Other events do not change names.
        return state;
    }
  },
};

export function bears(
  { status, kind, parentId, path, name, email, emails }: BearerState,
  stream: string,
): boolean {
  if (status !== 'present') return false;
  if (stream === routeStream(parentId, path)) return true;
  if (kind === 'user') return [email, ...Object.values(emails)].some((one) => stream === emailStream(one));
  return kind === 'project' && stream === projectNameStream(parentId!, name);
}
