import {
  addProjectDeployKey,
  createDeployKey,
  enableProjectDeployKey,
  getProjectDeployKey,
  listDeployKeys,
  listProjectDeployKeys,
  removeProjectDeployKey,
  updateProjectDeployKey,
} from '@forgelog/contracts/admin/deploy-keys/deploy-key.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, asc, eq, oneOf } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { requireSshKey, sshKeyIds } from '../shared/ssh-key-facts.ts';
import { userKeyDecider, userKeyStream } from '../user-keys/user-key.decider.ts';
import { deployKeyDecider, deployKeyStream, keyTaken, noKey } from './deploy-key.decider.ts';
import {
  deployKeyJson,
  instanceDeployKeyJson,
  projectDeployKeyJson,
  type ShownInstanceKey,
} from './deploy-key.view.ts';
import {
  type DeployKeyRow,
  deployKeyProjectKey,
  deployKeyProjects,
  deployKeys,
} from './deploy-keys.projection.ts';

/** Projects of a key that the caller's rights are looked up in, and that an answer names. */
const MOST_PROJECTS = 1000;

interface NewKey {
  title: string;
  key: string;
}

/** Public keys of machines. No SSH server is here: stock clients write and read these records. */
export function deployKeyRoutes(ports: ServicePorts): Implementation[] {
  const { commands, directory, ids, readStore } = ports;
  const view = deployKeyJson.renderer(ports);
  const ofProject = projectDeployKeyJson.renderer(ports);
  const ofInstance = instanceDeployKeyJson.renderer(ports);

  async function projectKey(id: number, projectId: number) {
    const enabled = await readStore.get(deployKeyProjects, deployKeyProjectKey(id, projectId));
    const row = enabled && (await readStore.get(deployKeys, id));
    if (!row) throw new Rejection('record_not_found');
    return { ...row, canPush: enabled.canPush };
  }

  async function withProjects(rows: readonly DeployKeyRow[]): Promise<ShownInstanceKey[]> {
    const keys = rows.map(({ id }) => id);
    const enabled = await readStore.find(deployKeyProjects, {
      where: and(oneOf('deployKeyId', keys), eq('canPush', true)),
      sort: [asc('deployKeyId'), asc('projectId')],
      limit: MOST_PROJECTS,
    });
    const projects = new Map<number, ShownInstanceKey['pushesTo']>();
    for (const { deployKeyId, projectId } of enabled) {
      const project = await directory.project(projectId);
      if (project) projects.set(deployKeyId, [...(projects.get(deployKeyId) ?? []), project]);
    }
    return rows.map((row) => ({ ...row, pushesTo: projects.get(row.id) ?? [] }));
  }

  /**
   * Whether the caller has the key in a project where they are a maintainer, or each project may enable it.
   * Administrators, too: keys of projects that they are not in are none of theirs.
   */
  async function mayEnable(
    isPublic: boolean,
    projectIds: Iterable<number>,
    { userId }: Principal,
  ): Promise<boolean> {
    if (isPublic) return true;
    for (const id of projectIds) {
      const project = await directory.project(id);
      if (project && (await directory.projectLevel(userId, project)) >= AccessLevel.maintainer) return true;
    }
    return false;
  }

  async function add(
    { title, key }: NewKey,
    to: { projectId: number | null; canPush: boolean },
    caller: Principal,
    metadata: EventMetadata,
  ): Promise<number> {
    const { projectId, canPush } = to;
    const parsed = await requireSshKey(key, ports, projectId === null ? 'key' : 'deploy_key.key');
    const { fingerprint, keyIds } = sshKeyIds(parsed);
    const stream = deployKeyStream(fingerprint);
    const { state } = await commands.load(deployKeyDecider, stream);
    if (state.status === 'present' && projectId !== null) {
      const { deployKeyId, isPublic, projects } = state;
      if (projects.has(projectId)) return deployKeyId;
      const known = [...projects.keys()].slice(0, MOST_PROJECTS);
      if (!(await mayEnable(isPublic, known, caller))) throw keyTaken(true);
      const command = { type: 'EnableDeployKey' as const, deployKeyId, fingerprint, projectId, canPush };
      await commands.handle(deployKeyDecider, stream, command, metadata);
      return deployKeyId;
    }
    if (await isOfUser(fingerprint)) throw keyTaken(projectId !== null);
    const commandFor = (deployKeyId: number) => ({
      type: 'CreateDeployKey' as const,
      ...{ deployKeyId, fingerprint, title, keyIds, projectId, canPush },
      key: `${parsed.text} ${parsed.comment}`.trim(),
    });
    // Validate before reserving an id.
    deployKeyDecider.decide(commandFor(0), state);
    const id = await ids.next('deployKey');
    await commands.handle(deployKeyDecider, stream, commandFor(id), metadata);
    return id;
  }

  async function isOfUser(fingerprint: string): Promise<boolean> {
    const { state } = await commands.load(userKeyDecider, userKeyStream(fingerprint));
    if (state.status === 'absent') return false;
    return ((await directory.user(state.userId))?.state ?? 'deleted') !== 'deleted';
  }

  async function instanceKey(id: number) {
    const row = await readStore.get(deployKeys, id);
    if (!row) throw noKey();
    const [shown] = await withProjects([row]);
    return shown!;
  }

  return [
    implement(listDeployKeys, async ({ params, page }) => {
      const where = params.public ? eq('isPublic', true) : and();
      const { documents, next } = await pageOf(readStore, deployKeys, { where, sort: [asc('id')], page });
      return { kind: 'list', items: ofInstance.list(await withProjects(documents)), next };
    }),

    implement(createDeployKey, async ({ params, caller, metadata }) => {
      const id = await add(params, { projectId: null, canPush: false }, caller, metadata);
      return json(ofInstance.one(await instanceKey(id)));
    }),

    implement(listProjectDeployKeys, async ({ project, page }) => {
      const { documents, next } = await pageOf(readStore, deployKeyProjects, {
        where: eq('projectId', project.project.id),
        sort: [asc('deployKeyId')],
        page,
      });
      const keys = documents.map(({ deployKeyId }) => deployKeyId);
      const rows = await readStore.find(deployKeys, { where: oneOf('id', keys), limit: keys.length });
      const byId = new Map(rows.map((row) => [row.id, row]));
      const shown = documents.flatMap(({ deployKeyId, canPush }) => {
        const row = byId.get(deployKeyId);
        return row ? [{ ...row, canPush }] : [];
      });
      return { kind: 'list', items: ofProject.list(shown), next };
    }),

    implement(getProjectDeployKey, async ({ params, project }) =>
      json(ofProject.one(await projectKey(params.key_id, project.project.id))),
    ),

    implement(addProjectDeployKey, async ({ params, project, caller, metadata }) => {
      const { id: projectId } = project.project;
      const id = await add(params, { projectId, canPush: params.can_push }, caller, metadata);
      return json(ofProject.one(await projectKey(id, projectId)));
    }),

    implement(updateProjectDeployKey, async ({ params, project, caller, metadata }) => {
      const { id: projectId } = project.project;
      const { key_id: deployKeyId, title, can_push: canPush } = params;
      const { fingerprint, isPublic } = await projectKey(deployKeyId, projectId);
      // The title of a key that each project may enable is for administrators.
      if (title !== undefined && isPublic && !caller.isAdmin) throw new Rejection('forbidden', {});
      await commands.handle(
        deployKeyDecider,
        deployKeyStream(fingerprint),
        { type: 'ChangeDeployKey', deployKeyId, fingerprint, projectId, title, canPush },
        metadata,
      );
      return json(ofProject.one(await projectKey(deployKeyId, projectId)));
    }),

    implement(removeProjectDeployKey, async ({ params, project, metadata }) => {
      const { id: projectId } = project.project;
      const { key_id: deployKeyId } = params;
      const enabled = await readStore.get(deployKeyProjects, deployKeyProjectKey(deployKeyId, projectId));
      const row = enabled && (await readStore.get(deployKeys, deployKeyId));
      if (!row) throw noKey();
      const { fingerprint } = row;
      const command = { type: 'DisableDeployKey' as const, deployKeyId, fingerprint, projectId };
      await commands.handle(deployKeyDecider, deployKeyStream(fingerprint), command, metadata);
      return noContent();
    }),

    implement(enableProjectDeployKey, async ({ params, project, caller, metadata }) => {
      const { id: projectId } = project.project;
      const row = await readStore.get(deployKeys, params.key_id);
      if (!row) throw noKey();
      const { id: deployKeyId, fingerprint, isPublic } = row;
      const enabled = await readStore.find(deployKeyProjects, {
        where: eq('deployKeyId', deployKeyId),
        limit: MOST_PROJECTS,
        select: ['projectId'],
      });
      const projectIds = enabled.map((one) => one.projectId);
      const mayHere = projectIds.includes(projectId) || (await mayEnable(isPublic, projectIds, caller));
      if (!mayHere) throw noKey();
      const command = {
        type: 'EnableDeployKey' as const,
        deployKeyId,
        fingerprint,
        projectId,
        canPush: false,
      };
      await commands.handle(deployKeyDecider, deployKeyStream(fingerprint), command, metadata);
      return json(view.one(row));
    }),
  ];
}
