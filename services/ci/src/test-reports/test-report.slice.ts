import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { testReportRoutes } from './test-report.routes.ts';

export const testReportSlice = defineSlice<CiPorts>({ routes: [testReportRoutes] });
