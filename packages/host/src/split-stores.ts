import { ConfigurationError } from '@forgelog/service-kit/configuration.ts';
import type { ProcessOptions } from './process.ts';
export const openSplitStores: ProcessOptions['openStores'] = async () => {
  throw new ConfigurationError('EVENTSTORE_URL');
};
