import { spawnSync } from 'node:child_process';

export interface Tool {
  name: string;
  args: readonly string[];
  version: RegExp;
  atLeast: readonly [major: number, minor: number];
}

const TOOLS: readonly Tool[] = [
  { name: 'go', args: ['version'], version: /go version go(\d+)\.(\d+)/, atLeast: [1, 25] },
  { name: 'java', args: ['-version'], version: /version "(\d+)(?:\.(\d+))?/, atLeast: [17, 0] },
  { name: 'mvn', args: ['-v'], version: /Apache Maven (\d+)\.(\d+)/, atLeast: [3, 1] },
];

/** Lists missing tools, each with the reason; empty if all are usable. */
export function missingTools(tools: readonly Tool[] = TOOLS): string[] {
  // Running servers are recognised by /proc.
  if (process.platform !== 'linux') return [`Linux (this is ${process.platform})`];
  return tools.map(problemWith).filter((problem) => problem !== null);
}

function problemWith({ name, args, version, atLeast }: Tool): string | null {
  // Otherwise an old Go would download a newer one.
  const env = { ...process.env, GOTOOLCHAIN: 'local' };
  const asked = spawnSync(name, args, { encoding: 'utf8', env });
  const [least, leastMinor] = atLeast;
  const wanted = leastMinor > 0 ? `${least}.${leastMinor}` : String(least);
  if (asked.error) return `${name} ${wanted} or newer (not found)`;
  const [found, major = '', minor = '0'] = version.exec(`${asked.stdout}${asked.stderr}`) ?? [];
  if (!found) return `${name} ${wanted} or newer (it does not tell its version)`;
  const enough = Number(major) > least || (Number(major) === least && Number(minor) >= leastMinor);
  return enough ? null : `${name} ${wanted} or newer (this is ${major}.${minor})`;
}
