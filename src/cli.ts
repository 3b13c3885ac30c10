/** The operator's command line: `npm run -s stint -- COMMAND --json` (behaviour §2.1). */
import './start/requireNode.js';
import { openContext } from './cli/command.ts';
import { run } from './cli/run.ts';
import { nameConnections } from './database/connections.ts';

nameConnections('command');
const { context, close } = openContext(process.env);
const outcome = await run(process.argv.slice(2), context);
await close();
if (outcome.stderr) process.stderr.write(`${outcome.stderr}\n`);
if (outcome.stdout) process.stdout.write(`${outcome.stdout}\n`);
process.exitCode = outcome.code;
