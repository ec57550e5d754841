import { describeRegisters } from '../../testing/registers.contract.ts';
import { openMemoryRegisters } from './memory-registers.ts';

describeRegisters('memory', async () => openMemoryRegisters());
