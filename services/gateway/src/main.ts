import { runProcess } from '@forgelog/host/run-process.ts';
import { startGatewayProcess } from './gateway-process.ts';

if (import.meta.main) runProcess('gateway', startGatewayProcess);
