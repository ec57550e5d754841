import { printAsyncApi } from '@forgelog/contracts/asyncapi/asyncapi.ts';
import { eventsDocument } from '@forgelog/contracts/asyncapi/event-schema.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { isPublished } from '@forgelog/contracts/event.ts';
import {
  getEventSchema,
  getEventSchemas,
} from '@forgelog/contracts/gateway/event-contract/event-contract.api.ts';
import { getAsyncApi } from '@forgelog/contracts/gateway/instance/instance.api.ts';
import { CONTRACT_VERSION } from '@forgelog/contracts/released/current.ts';
import { dataDocumentOf } from '@forgelog/contracts/released/data-document.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';

/** The contract of events, each document printed when it is first asked for. */
export function eventContractRoutes(ports: {
  catalogue: EventCatalogue;
  externalUrl: string;
}): Implementation[] {
  const { catalogue, externalUrl } = ports;
  const definitions = catalogue.definitions.filter(isPublished);
  let reference: string | undefined;
  let schemas: string | undefined;
  return [
    implement(getAsyncApi, async () => {
      reference ??= JSON.stringify(printAsyncApi(definitions, { version: CONTRACT_VERSION, externalUrl }));
      return json(reference);
    }),
    implement(getEventSchemas, async () => {
      schemas ??= JSON.stringify(eventsDocument(definitions, `${externalUrl}/api/v4/event_schemas`));
      return json(schemas);
    }),
    implement(getEventSchema, async ({ params }) => {
      const document = dataDocumentOf(params, definitions, externalUrl);
      if (!document) throw new Rejection('not_found', { what: 'Event Schema' });
      return json(JSON.stringify(document));
    }),
  ];
}
