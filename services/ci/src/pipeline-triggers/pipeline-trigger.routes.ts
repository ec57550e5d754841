import { createHash, randomBytes } from 'node:crypto';
import {
  createPipelineTrigger,
  deletePipelineTrigger,
  getPipelineTrigger,
  listPipelineTriggers,
  updatePipelineTrigger,
} from '@forgelog/contracts/ci/pipeline-triggers/pipeline-trigger.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { createSealer } from '@forgelog/service-kit/sealed.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import {
  type PipelineTriggerCommand,
  pipelineTriggerDecider,
  pipelineTriggerStream,
} from './pipeline-trigger.decider.ts';
import { pipelineTriggerJson } from './pipeline-trigger.view.ts';
import { type PipelineTriggerRow, pipelineTriggers } from './pipeline-triggers.projection.ts';

const TOKEN_BYTES = 20;
const SHORT = 4;

export function pipelineTriggerRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore, configuration } = ports;
  const view = pipelineTriggerJson.renderer(ports);
  const sealer = createSealer(lazyInstanceKey(configuration), 'pipeline triggers');

  const shown = (row: PipelineTriggerRow, { caller }: ApiRequest) => ({
    ...row,
    token:
      row.ownerId === caller.userId
        ? sealer.open(pipelineTriggerStream(row.id), row.sealedToken)
        : row.shortToken,
  });

  async function answerOf(id: number, request: ApiRequest) {
    const row = await readStore.get(pipelineTriggers, id);
    if (row?.projectId !== request.project.project.id) throw new Rejection('record_not_found');
    return json(view.one(shown(row, request)));
  }

  const handle = ({ metadata }: ApiRequest, command: PipelineTriggerCommand) =>
    commands.handle(
      pipelineTriggerDecider,
      pipelineTriggerStream(command.pipelineTriggerId),
      command,
      metadata,
      { mustBeNew: command.type === 'CreatePipelineTrigger' },
    );

  const one = ({ params, project }: ApiRequest<typeof getPipelineTrigger>) => ({
    pipelineTriggerId: params.trigger_id,
    projectId: project.project.id,
  });

  return [
    implement(listPipelineTriggers, async (request) => {
      const { documents, next } = await pageOf(readStore, pipelineTriggers, {
        where: eq('projectId', request.project.project.id),
        sort: [asc('id')],
        page: request.page,
      });
      return { kind: 'list', items: view.list(documents.map((row) => shown(row, request))), next };
    }),

    implement(getPipelineTrigger, (request) => answerOf(request.params.trigger_id, request)),

    implement(createPipelineTrigger, async (request) => {
      const token = randomBytes(TOKEN_BYTES).toString('hex');
      const pipelineTriggerId = await ids.next('pipelineTrigger');
      await handle(request, {
        type: 'CreatePipelineTrigger',
        pipelineTriggerId,
        projectId: request.project.project.id,
        ownerId: request.caller.userId,
        description: request.params.description,
        tokenSha256: createHash('sha256').update(token).digest('hex'),
        sealedToken: sealer.seal(pipelineTriggerStream(pipelineTriggerId), token),
        shortToken: token.slice(0, SHORT),
      });
      return answerOf(pipelineTriggerId, request);
    }),

    implement(updatePipelineTrigger, async (request) => {
      const { description } = request.params;
      if (description === '') throw new Rejection('validation_failed', BLANK);
      await handle(request, { type: 'UpdatePipelineTrigger', ...one(request), description });
      return answerOf(request.params.trigger_id, request);
    }),

    implement(deletePipelineTrigger, async (request) => {
      await handle(request, { type: 'DeletePipelineTrigger', ...one(request) });
      return noContent();
    }),
  ];
}

const BLANK = { fields: { description: ["can't be blank"] } };
