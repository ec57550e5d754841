import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { bridgePolicies } from './bridge.policy.ts';
import { lostDownstreams } from './lost-downstreams.policy.ts';

export const bridgeSlice = defineSlice<CiPorts>({ policies: [bridgePolicies, lostDownstreams] });
