/** `npm run bench`: every row in one run on this machine, printed as ratios against floors that send the same statements. */
import { startDisposable } from '../support/disposable.ts';
import { mcp } from './mcp.ts';
import { rest } from './rest.ts';

const server = await startDisposable();
try {
  for (const suite of [rest, mcp]) await suite(server.url);
} finally {
  await server.stop();
}
process.exit(0);
