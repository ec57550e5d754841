import { countSnippets } from '@forgelog/contracts/repo/snippets/snippet.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { snippets } from './snippets.projection.ts';

/** Beyond any instance. */
const MOST = 1_000_000_000;

export function snippetOperations({ readStore }: ServicePorts): OperationImplementation[] {
  return [
    implementOperation(countSnippets, async () => ({
      snippets: await readStore.count(snippets, { atMost: MOST }),
    })),
  ];
}
