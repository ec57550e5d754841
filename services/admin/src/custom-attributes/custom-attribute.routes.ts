import {
  groupCustomAttributes,
  projectCustomAttributes,
  userCustomAttributes,
} from '@forgelog/contracts/admin/custom-attributes/custom-attribute.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { users } from '../users/users.projection.ts';
import {
  type AttributeOwner,
  customAttributeDecider,
  customAttributesStream,
} from './custom-attribute.decider.ts';
import { customAttributeJson } from './custom-attribute.view.ts';
import { customAttributes } from './custom-attributes.projection.ts';

type Endpoints = typeof userCustomAttributes | typeof groupCustomAttributes | typeof projectCustomAttributes;
type FindOwner = (id: number | string) => Promise<AttributeOwner>;

export function customAttributeRoutes(ports: ServicePorts): Implementation[] {
  const { directory, readStore } = ports;
  return [
    ...routesOf(ports, userCustomAttributes, userOf(readStore)),
    ...routesOf(ports, groupCustomAttributes, groupOf(directory)),
    ...routesOf(ports, projectCustomAttributes, projectOf(directory)),
  ];
}

const NOBODY: AttributeOwner = { userId: null, groupId: null, projectId: null };

function userOf(readStore: ReadStore): FindOwner {
  return async (id) => {
    const user = await readStore.getFields(users, Number(id), ID);
    if (!user) throw new Rejection('not_found', { what: 'User' });
    return { ...NOBODY, userId: user.id };
  };
}

const ID = ['id'] as const;

function groupOf(directory: Directory): FindOwner {
  return async (id) => {
    const named = parseIdOrPath(String(id));
    const group =
      typeof named === 'number' ? await directory.namespace(named) : await directory.namespaceByPath(named);
    if (group?.kind !== 'group') throw new Rejection('not_found', { what: 'Group' });
    return { ...NOBODY, groupId: group.id };
  };
}

function projectOf(directory: Directory): FindOwner {
  return async (id) => {
    const named = parseIdOrPath(String(id));
    const project =
      typeof named === 'number' ? await directory.project(named) : await directory.projectByPath(named);
    if (!project) throw new Rejection('not_found', { what: 'Project' });
    return { ...NOBODY, projectId: project.id };
  };
}

function ofOwner({ userId, groupId, projectId }: AttributeOwner) {
  if (userId !== null) return eq('userId', userId);
  return groupId !== null ? eq('groupId', groupId) : eq('projectId', projectId);
}

function routesOf(ports: ServicePorts, endpoints: Endpoints, find: FindOwner): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = customAttributeJson.renderer(ports);

  async function answerOf(owner: AttributeOwner, key: string) {
    const where = and(ofOwner(owner), eq('key', key));
    const [row] = await readStore.find(customAttributes, { where, limit: 1 });
    if (!row) throw new Rejection('record_not_found');
    return json(view.one(row));
  }

  return [
    implement(endpoints.list, async ({ params, page }) => {
      const where = ofOwner(await find(params.id));
      const { documents, next } = await pageOf(readStore, customAttributes, {
        where,
        sort: [asc('key')],
        page,
      });
      return { kind: 'list', items: view.list(documents), next };
    }),

    implement(endpoints.get, async ({ params }) => answerOf(await find(params.id), params.key)),

    implement(endpoints.set, async ({ params: { id, key, value }, metadata }) => {
      const owner = await find(id);
      const commandFor = (customAttributeId: number) => ({
        type: 'SetCustomAttribute' as const,
        ...{ ...owner, customAttributeId, key, value },
      });
      // Validate before reserving an id.
      customAttributeDecider.decide(commandFor(0), customAttributeDecider.initialState);
      const command = commandFor(await ids.next('customAttribute'));
      await commands.handle(customAttributeDecider, customAttributesStream(owner), command, metadata);
      return answerOf(owner, key);
    }),

    implement(endpoints.delete, async ({ params: { id, key }, metadata }) => {
      const owner = await find(id);
      const command = { type: 'DeleteCustomAttribute' as const, ...owner, key };
      await commands.handle(customAttributeDecider, customAttributesStream(owner), command, metadata);
      return noContent();
    }),
  ];
}
