import { describeObjectStore } from '../testing/object-store.contract.ts';
import { openMemoryObjectStore } from './memory-object-store.ts';

describeObjectStore('memory', async () => openMemoryObjectStore());
