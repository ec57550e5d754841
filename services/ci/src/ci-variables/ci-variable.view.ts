import {
  ciVariableView,
  instanceCiVariableView,
} from '@forgelog/contracts/ci/ci-variables/ci-variable.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import type { OpenVariable } from './open-variables.ts';

export const instanceCiVariableJson = implementView(instanceCiVariableView).from<OpenVariable>({
  variable_type: 'variableType',
  key: 'key',
  value: 'value',
  protected: 'protected',
  masked: 'masked',
});

export const ciVariableJson = implementView(ciVariableView).from<OpenVariable>({
  ...instanceCiVariableJson.members,
  environment_scope: 'environmentScope',
});
