import { defineSlice, type Slice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { languageRoutes } from './language.routes.ts';
import { createLanguageShares } from './language-shares.ts';

export function languageSlice(): Slice<RepoPorts> {
  const shares = createLanguageShares();
  return defineSlice<RepoPorts>({
    routes: [languageRoutes(shares)],
    workers: [() => ({ start: async () => {}, stop: shares.stop })],
  });
}
