/** Loaded first by every process. Reports the required Node version and enables the compile cache. Must use old JavaScript, so that an
 *  outdated Node can run it. */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const needed = [24, 7];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  process.stderr.write(
    `Stint needs Node ${needed.join('.')} or later, and this is ${process.versions.node}. Install a current one from https://nodejs.org, or run "npm ci" with development packages.\n`,
  );
  process.exit(1);
}

// A start with cached code takes half the CPU time. The cache is next to the code: who can write there could change the code anyway.
module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
