type Format = 'zip' | 'gzip' | 'raw';

/** Reports that are uploaded as they are; all others compressed. */
const RAW = new Set([
  ...['accessibility', 'api_fuzzing', 'browser_performance', 'cluster_image_scanning', 'codequality'],
  ...['container_scanning', 'coverage_fuzzing', 'dast', 'dependency_scanning', 'license_scanning'],
  ...['load_performance', 'performance', 'requirements', 'sast', 'secret_detection', 'terraform'],
]);

export const formatOfReport = (type: string): Format =>
  type === 'lsif' ? 'zip' : RAW.has(type) ? 'raw' : 'gzip';

/** Names of files that agents upload, by which they are downloaded. */
const NAMES: Readonly<Record<string, string>> = {
  junit: 'junit.xml',
  cobertura: 'cobertura-coverage.xml',
  dotenv: '.env',
  codequality: 'gl-code-quality-report.json',
  terraform: 'tfplan.json',
  metrics: 'metrics.txt',
  lsif: 'lsif.json',
  requirements: 'requirements.json',
};

export const nameOfReport = (type: string): string =>
  NAMES[type] ?? `gl-${type.replaceAll('_', '-')}-report.json`;
