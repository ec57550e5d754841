// `npm run setup`: installs production dependencies alone. A server started after it writes nothing to this folder and
// asks no registry, so that its user needs no rights here.
import { install, root } from './workspace.mjs';

install(true);
process.stdout.write(`Forgelog is installed in ${root}. docs/run.md says how to run it.\n`);
