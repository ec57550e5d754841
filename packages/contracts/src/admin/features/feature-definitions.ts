/** A part of this server that administrators can switch: the code that asks for it names it here. */
export interface FeatureDefinition {
  name: string;
  group: string;
  type: 'development' | 'ops';
  /** Whether it is on while nobody set it. */
  defaultEnabled: boolean;
  /** The version that brought it. */
  milestone: string;
}

const packages = { group: 'packages', type: 'development', defaultEnabled: true, milestone: '0.1' } as const;

export const FEATURES = {
  debian_packages: { ...packages, name: 'debian_packages' },
  debian_group_packages: { ...packages, name: 'debian_group_packages' },
} as const satisfies Record<string, FeatureDefinition>;

export type FeatureName = keyof typeof FEATURES;

export const featureDefinitions: readonly FeatureDefinition[] = Object.values(FEATURES);

export const definitionOf = (name: string): FeatureDefinition | undefined =>
  featureDefinitions.find((definition) => definition.name === name);
