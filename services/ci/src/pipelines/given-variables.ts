import type { Variable } from '@forgelog/ci-config/variables/variable.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createSealer } from '@forgelog/service-kit/sealed.ts';
import { type PipelinePlace, pipelineStream } from './pipeline-state.ts';

/** A variable that somebody gave with a pipeline or with a job that they played. */
export interface GivenVariable {
  key: string;
  value: string;
  type: 'env_var' | 'file';
}

/** Seals variables as one text, which is valid for one pipeline and its jobs. */
export function givenVariables({ configuration }: Pick<ServicePorts, 'configuration'>) {
  const sealer = createSealer(lazyInstanceKey(configuration), 'given variables');
  return {
    seal: (place: PipelinePlace, variables: readonly GivenVariable[]): string | null =>
      variables.length === 0 ? null : sealer.seal(pipelineStream(place), JSON.stringify(variables)),
    /** @throws SealedTextError */
    open: (place: PipelinePlace, sealed: string | null): GivenVariable[] =>
      sealed === null ? [] : (JSON.parse(sealer.open(pipelineStream(place), sealed)) as GivenVariable[]),
  };
}

/** The last of equal keys counts. */
export const variablesOfGiven = (given: readonly GivenVariable[]): Variable[] =>
  [...new Map(given.map((variable) => [variable.key, variable])).values()].map(({ key, value, type }) => ({
    ...{ key, value, public: false, masked: false },
    file: type === 'file',
  }));
