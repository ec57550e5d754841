import { SaxesParser } from 'saxes';
import type { LockedPackage, LockfileReader } from './dependency.ts';

const PROPERTY = /^\$\{([^{}]{1,200})\}$/;
const DIRECT = 'project/dependencies/dependency';
const MANAGED = 'project/dependencyManagement/dependencies/dependency';
const MOST_HOPS = 10;
/** Elements of deeper places are none of those; a file may nest 100,000 of them. */
const DEEPEST = 6;

/**
 * `pom.xml`: dependencies that it names itself. Their versions come from its properties and its management; a parent or
 * an imported file is not read.
 */
export const mavenPackages: LockfileReader = (text) => {
  const path: string[] = [];
  const properties = new Map<string, string>();
  const managed = new Map<string, string>();
  const direct: Map<string, string>[] = [];
  let current = new Map<string, string>();
  let value = '';

  const placeNow = () => (path.length > DEEPEST ? '' : path.join('/'));

  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    path.push(name);
    value = '';
    const place = placeNow();
    if (place === DIRECT || place === MANAGED) current = new Map();
  });
  const onText = (part: string) => {
    value += part;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    const place = placeNow();
    const name = path.pop()!;
    const parent = placeNow();
    if (place === DIRECT) direct.push(current);
    else if (place === MANAGED) managed.set(coordinates(current), current.get('version') ?? '');
    else if (parent === DIRECT || parent === MANAGED) current.set(name, value.trim());
    else if (parent === 'project/properties') properties.set(name, value.trim());
    else if (parent === 'project' || parent === 'project/parent')
      properties.set(`${parent.replace('/', '.')}.${name}`, value.trim());
    value = '';
  });
  parser.write(text).close();

  function resolved(written: string | undefined): string | null {
    let found = written;
    for (let hops = 0; found && hops < MOST_HOPS; hops += 1) {
      const property = PROPERTY.exec(found)?.[1];
      if (!property) return found.includes('${') ? null : found;
      // A project without a version or a group has its parent's.
      found = properties.get(property) ?? properties.get(property.replace(/^project\./, 'project.parent.'));
    }
    return null;
  }

  return direct.flatMap((dependency): LockedPackage[] => {
    const group = resolved(dependency.get('groupId'));
    const artifact = resolved(dependency.get('artifactId'));
    const version = dependency.get('version') ?? managed.get(coordinates(dependency));
    return group && artifact ? [{ name: `${group}/${artifact}`, version: resolved(version) }] : [];
  });
};

const coordinates = (dependency: ReadonlyMap<string, string>) =>
  `${dependency.get('groupId')}:${dependency.get('artifactId')}`;
