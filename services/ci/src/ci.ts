import { CiRecordsEnded } from '@forgelog/contracts/shared/records-ended.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { tellingEndedRecords } from '@forgelog/service-kit/ended-records.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { composeService } from '@forgelog/service-kit/slice.ts';
import { ciVariableSlice } from './ci-variables/ci-variable.slice.ts';
import { environmentSlice } from './environments/environment.slice.ts';
import { freezePeriodSlice } from './freeze-periods/freeze-period.slice.ts';
import { runnerSlice } from './runners/runner.slice.ts';

export const createCi = (ports: ServicePorts): Service =>
  tellingEndedRecords(
    composeService('ci', ports, [ciVariableSlice, environmentSlice, freezePeriodSlice, runnerSlice]),
    CiRecordsEnded,
    ports,
  );
