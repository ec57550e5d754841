import { runHost } from '@forgelog/host/run-service.ts';
import { startGatewayHost } from './gateway-host.ts';

if (import.meta.main) runHost('gateway', startGatewayHost);
