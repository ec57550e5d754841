import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import { knownLabels } from '../../labels/known-labels.ts';
import { hookProjects } from '../hook-projects.projection.ts';

const LEVELS: Readonly<Record<string, number>> = { private: 0, internal: 10, public: 20 };

/** Addresses of people are theirs: whoever has a hook does not learn them. */
export const HIDDEN_EMAIL = '[REDACTED]';

export interface HookUser {
  id: number;
  name: string;
  username: string;
  avatar_url: string | null;
  email: string;
}

export type HookFacts = ReturnType<typeof createHookFacts>;

/** What several kinds of messages say [companions 7]. */
export function createHookFacts({ directory, readStore }: ServicePorts) {
  const host = directory.externalUrl;

  async function user(id: number | null): Promise<HookUser | null> {
    const found = id === null ? undefined : await directory.user(id);
    if (!found) return null;
    const { name, username, avatarUrl } = found;
    const avatar_url = avatarUrl === null ? null : host + avatarUrl;
    return { id: found.id, name, username, avatar_url, email: HIDDEN_EMAIL };
  }

  async function users(ids: readonly number[]): Promise<HookUser[]> {
    return (await Promise.all(ids.map(user))).filter((one) => one !== null);
  }

  const webUrl = ({ fullPath }: DirectoryProject) => `${host}/${fullPath}`;

  async function project(one: DirectoryProject) {
    const told = await readStore.get(hookProjects, one.id);
    const namespace = await directory.namespace(one.namespaceId);
    const web_url = webUrl(one);
    const ssh = `git@${new URL(host).hostname}:${one.fullPath}.git`;
    const http = `${web_url}.git`;
    return {
      id: one.id,
      name: one.name,
      description: told?.description ?? null,
      web_url,
      avatar_url: told?.avatarUrl ? host + told.avatarUrl : null,
      git_ssh_url: ssh,
      git_http_url: http,
      namespace: namespace?.name ?? '',
      visibility_level: LEVELS[one.visibility] ?? 0,
      path_with_namespace: one.fullPath,
      default_branch: one.defaultBranch,
      ci_config_path: told?.ciConfigPath ?? null,
      homepage: web_url,
      url: ssh,
      ssh_url: ssh,
      http_url: http,
    };
  }

  async function labels(ids: readonly number[]) {
    const found = await knownLabels(readStore).read(ids);
    return [...new Set(ids.map((id) => found.get(id)))].flatMap((label) =>
      label == null
        ? []
        : {
            id: label.id,
            title: label.title,
            color: label.color,
            project_id: label.projectId,
            created_at: null,
            updated_at: null,
            template: false,
            description: label.description,
            type: label.projectId === null ? 'GroupLabel' : 'ProjectLabel',
            group_id: label.groupId,
          },
    );
  }

  const repository = ({ name, url, description, homepage }: Awaited<ReturnType<typeof project>>) => ({
    name,
    url,
    description,
    homepage,
  });

  return {
    host,
    user,
    users,
    project,
    labels,
    webUrl,
    actorOf: ({ metadata }: RecordedEvent): number | null => initiatorOf(metadata).actorId,
    projectOf: (id: number) => directory.project(id),
    groupOf: (id: number) => directory.namespace(id),
    userOf: (id: number) => directory.user(id),
    repository,
    /** As messages of pushes and jobs have it. */
    pushedRepository: (shown: Awaited<ReturnType<typeof project>>) => ({
      ...repository(shown),
      git_http_url: shown.git_http_url,
      git_ssh_url: shown.git_ssh_url,
      visibility_level: shown.visibility_level,
    }),
  };
}

/** `2016-08-12 15:23:28 UTC`: clients of notes, pipelines and jobs expect it. */
export const spokenTime = (iso: string | null): string | null =>
  iso === null ? null : `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

/** The state that an action led to. What is told may have gone on since, and a receiver follows the actions. */
const STATE_AFTER: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'opened',
  merge: 'merged',
};

/** The state of an issue or merge request as members of a message: after the action, or else as it is now. */
export function stateAfter(action: string, now: string): { state: string; state_id: number | null } {
  const state = STATE_AFTER[action] ?? now;
  return { state, state_id: STATE_IDS[state] ?? null };
}

export const STATE_IDS: Readonly<Record<string, number>> = { opened: 1, closed: 2, merged: 3, locked: 4 };
