/** The first thing that every process loads, with `--import` and as its first import: says which Node is needed where the one at hand can't
 *  even read the rest, and keeps what is compiled for the next start. Plain JavaScript of years ago, for it must run on what is too old. */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const needed = [24, 7];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  process.stderr.write(
    `Stint needs Node ${needed.join('.')} or later, and this is ${process.versions.node}. Install a current one from https://nodejs.org or with your version manager; or run "npm ci" with its development packages, which bring one along for "npm start" and "npm test".\n`,
  );
  process.exit(1);
}

// Types taken out and compiled, code starts with half of the processor. It lies where code lies: who may write there needs no cache to change
// what runs. Nothing happens where that can't be written, or where NODE_COMPILE_CACHE names another place.
module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
