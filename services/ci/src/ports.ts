import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { type Compiler, createCompiler } from './configuration/compiler.ts';
import { type ProjectConfigurations, projectConfigurations } from './configuration/project-configuration.ts';

/** The ports of this service's slices, in addition to those of every service. */
export interface CiPorts extends ServicePorts {
  compiler: Compiler;
  configurations: ProjectConfigurations;
}

/** Wires the ports; it starts nothing. */
export function createCiPorts(ports: ServicePorts): CiPorts {
  const compiler = createCompiler();
  return { ...ports, compiler, configurations: projectConfigurations({ ...ports, compiler }) };
}
