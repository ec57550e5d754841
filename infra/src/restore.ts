import { restoreCommand } from './backup/restore-command.ts';

restoreCommand(process.argv.slice(2), { output: process.stdout, errors: process.stderr }).then(
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
