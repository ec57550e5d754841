import {
  createClientKey,
  deleteClientKey,
  listClientKeys,
} from '@forgelog/contracts/tracker/error-tracking/client-key.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type ClientKeyCommand, clientKeyDecider, clientKeysStream } from './client-key.decider.ts';
import { clientKeyJson, type ShownKey } from './client-key.view.ts';
import { type ClientKey, createClientKeys } from './client-keys.ts';
import { clientKeyRows } from './tracked-errors.projection.ts';

export function clientKeyRoutes(ports: ServicePorts): Implementation[] {
  const { commands, host, ids, readStore } = ports;
  const clientKeys = createClientKeys(ports);
  const view = clientKeyJson.renderer(ports);

  function shown(key: ClientKey): ShownKey {
    const publicKey = clientKeys.publicKey(key);
    const address = new URL(`${host}/api/v4/error_tracking/collector/${key.projectId}`);
    address.username = publicKey;
    return { id: key.id, publicKey, dsn: address.href };
  }

  const handle = ({ project, metadata }: ApiRequest, type: ClientKeyCommand['type'], clientKeyId: number) => {
    const projectId = project.project.id;
    const command = { type, projectId, clientKeyId };
    return commands.handle(clientKeyDecider, clientKeysStream(projectId), command, metadata);
  };

  return [
    implement(listClientKeys, async ({ project, page }) => {
      const where = eq('projectId', project.project.id);
      const { documents, next } = await pageOf(readStore, clientKeyRows, { where, sort: [asc('id')], page });
      return { kind: 'list', items: view.list(documents.map(shown)), next };
    }),

    implement(createClientKey, async (request) => {
      const projectId = request.project.project.id;
      // Validate before reserving an id.
      const { state } = await commands.load(clientKeyDecider, clientKeysStream(projectId));
      clientKeyDecider.decide({ type: 'CreateClientKey', projectId, clientKeyId: 0 }, state);
      const id = await ids.next('errorTrackingClientKey');
      await handle(request, 'CreateClientKey', id);
      return json(view.one(shown({ id, projectId })), { status: 201 });
    }),

    implement(deleteClientKey, async (request) => {
      const { key_id: id } = request.params;
      await handle(request, 'DeleteClientKey', id);
      return json(view.one(shown({ id, projectId: request.project.project.id })));
    }),
  ];
}
