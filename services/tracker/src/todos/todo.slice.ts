import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { TargetKind } from '../targets/target.ts';
import { accessTodoPolicies } from './access-todos.policy.ts';
import { arisingTodoPolicies } from './arising-todos.policy.ts';
import { todoRoutes } from './todo.routes.ts';
import { todosProjection } from './todos.projection.ts';

export const todoSlice = (kinds: readonly TargetKind[]) =>
  defineSlice<ServicePorts>({
    routes: [(ports) => todoRoutes(ports, kinds)],
    projections: [todosProjection(kinds)],
    policies: [arisingTodoPolicies, accessTodoPolicies],
  });
