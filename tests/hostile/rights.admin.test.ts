import { sweepRights } from './rights.ts';

sweepRights('admin');
