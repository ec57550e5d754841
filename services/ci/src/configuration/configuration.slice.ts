import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';

/** Ends the threads that compile configurations. */
export const configurationSlice = defineSlice<CiPorts>({
  workers: [({ compiler }) => ({ start: async () => {}, stop: () => compiler.stop() })],
});
