import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { todoRoutes } from './todo.routes.ts';

export const todos = defineSlice<ServicePorts>({ routes: [todoRoutes] });
