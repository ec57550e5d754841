import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createProtectedTag,
  deleteProtectedTag,
  getProtectedTag,
  listProtectedTags,
} from '@forgelog/contracts/repo/protected-tags/protected-tag.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { protectedTagDecider, protectedTagsStream } from './protected-tag.decider.ts';
import { protectedTagJson } from './protected-tag.view.ts';
import { protectedTags } from './protected-tags.projection.ts';

export function protectedTagRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = protectedTagJson.renderer(ports);

  async function answerOf(projectId: number, name: string, status = 200) {
    const where = and(eq('projectId', projectId), eq('name', name));
    const [row] = await readStore.find(protectedTags, { where, limit: 1 });
    if (!row) throw new Rejection('record_not_found');
    return json(view.one(row), { status });
  }

  return [
    implement(listProtectedTags, async ({ project, page }) => {
      const where = eq('projectId', project.project.id);
      const { documents, next } = await pageOf(readStore, protectedTags, { where, sort: [asc('id')], page });
      return { kind: 'list', items: view.list(documents), next };
    }),

    implement(getProtectedTag, async ({ params, project }) => answerOf(project.project.id, params.name)),

    implement(createProtectedTag, async ({ params, project, metadata }) => {
      const projectId = project.project.id;
      const stream = protectedTagsStream(projectId);
      const { name, create_access_level: createAccessLevel } = params;
      const commandFor = (protectedTagId: number) =>
        ({ type: 'ProtectTag', protectedTagId, projectId, name, createAccessLevel }) as const;
      // Validate before reserving an id.
      const { state } = await commands.load(protectedTagDecider, stream);
      protectedTagDecider.decide(commandFor(0), state);
      const command = commandFor(await ids.next('protectedTag'));
      await commands.handle(protectedTagDecider, stream, command, metadata);
      return answerOf(projectId, name, 201);
    }),

    implement(deleteProtectedTag, async ({ params, project, metadata }) => {
      const projectId = project.project.id;
      const command = { type: 'UnprotectTag', projectId, name: params.name } as const;
      await commands.handle(protectedTagDecider, protectedTagsStream(projectId), command, metadata);
      return noContent();
    }),
  ];
}
