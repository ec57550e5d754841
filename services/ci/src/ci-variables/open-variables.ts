import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createSealer, type Sealer } from '@forgelog/service-kit/sealed.ts';
import { type VariablePlace, variablesStream } from './ci-variable.decider.ts';
import type { CiVariableRow } from './ci-variables.projection.ts';

export type OpenVariable = CiVariableRow & { value: string };

export const variableSealer = ({ configuration }: Pick<ServicePorts, 'configuration'>): Sealer =>
  createSealer(lazyInstanceKey(configuration), 'CI variables');

/** Where the value of a variable is valid; its key never changes. */
export const sealedPlace = (place: VariablePlace & { key: string }): string =>
  `${variablesStream(place)}/${place.key}`;

export const opened = (row: CiVariableRow, sealer: Sealer): OpenVariable => ({
  ...row,
  value: sealer.open(sealedPlace(row), row.sealedValue),
});
