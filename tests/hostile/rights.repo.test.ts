import { sweepRights } from './rights.ts';

sweepRights('repo');
