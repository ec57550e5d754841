import type { Tier } from '@forgelog/contracts/endpoint.ts';
import type { Resource } from '@forgelog/contracts/endpoints.ts';
import { getMetadata, getOpenApi, getVersion } from '@forgelog/contracts/gateway/instance/instance.api.ts';
import { printOpenApi } from '@forgelog/contracts/openapi/openapi.ts';
import { API_VERSION } from '@forgelog/contracts/shared/api-version.ts';
import { json, value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';

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
