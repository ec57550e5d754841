import { setFlagsFromString } from 'node:v8';

const FIRST_WITH_DEFAULT = [14, 8] as const;

/**
 * Counts buffers that are alive, and not every byte that passes, towards the size at which V8 marks its whole heap
 * (ADR 67).
 * @param version of V8; from 14.8 on there is no such flag, and nothing to do
 */
export function countLiveBuffers(version = process.versions.v8, setFlag = setFlagsFromString): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [firstMajor, firstMinor] = FIRST_WITH_DEFAULT;
  if (major > firstMajor || (major === firstMajor && minor >= firstMinor)) return;
  setFlag('--external-memory-accounted-in-global-limit');
}
