import { sweepRights } from './rights.ts';

sweepRights('tracker');
