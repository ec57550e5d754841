import { sweepRights } from './rights.ts';

sweepRights('ci');
