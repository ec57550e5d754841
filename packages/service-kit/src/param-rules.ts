import type { ParamRule } from '@forgelog/contracts/endpoint.ts';

export function checkRules(
  rules: readonly ParamRule[],
  params: Readonly<Record<string, unknown>>,
  problems: string[],
): void {
  for (const { kind, names } of rules) {
    const given = names.filter((name) => params[name] !== undefined);
    switch (kind) {
      case 'exclusive':
        if (given.length > 1) problems.push(`${given.join(', ')} are mutually exclusive`);
        break;
      case 'at-least-one':
        if (given.length === 0) {
          problems.push(
            `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} missing, at least one parameter must be provided`,
          );
        }
        break;
      case 'all-or-none':
        if (given.length > 0 && given.length < names.length) {
          problems.push(`${names.join(', ')} provide all or none of parameters`);
        }
        break;
      default:
        kind satisfies never;
    }
  }
}
