import type { Tier } from '@forgelog/contracts/endpoint.ts';
import type { Resource } from '@forgelog/contracts/endpoints.ts';
import { getMetadata, getOpenApi, getVersion } from '@forgelog/contracts/gateway/instance/instance.api.ts';
import { printOpenApi } from '@forgelog/contracts/openapi/openapi.ts';
import { json, value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';

/** The emulated release of the API family. Clients split it on dots and compare the numbers. */
export const API_VERSION = '14.3.0';

export function instanceRoutes(ports: {
  resources: readonly Resource[];
  externalUrl: string;
  revision: string;
  edition: Tier;
}): Implementation[] {
  let reference: string | undefined;
  return [
    implement(getVersion, async () => value({ version: API_VERSION, revision: ports.revision })),
    implement(getMetadata, async () =>
      value({
        version: API_VERSION,
        revision: ports.revision,
        kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
        enterprise: ports.edition !== 'free',
      }),
    ),
    implement(getOpenApi, async () => {
      reference ??= JSON.stringify(printOpenApi(ports.resources, ports.externalUrl, API_VERSION));
      return json(reference);
    }),
  ];
}
