import { describeReadStore } from '../../testing/read-store.contract.ts';
import { openMemoryReadStore } from './memory-read-store.ts';

describeReadStore('memory', async () => ({ store: openMemoryReadStore() }));
