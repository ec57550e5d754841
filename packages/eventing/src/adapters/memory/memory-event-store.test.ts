import { describeEventStore } from '../../testing/event-store.contract.ts';
import { openMemoryEventStore } from './memory-event-store.ts';

describeEventStore('memory', async () => ({ store: openMemoryEventStore() }));
