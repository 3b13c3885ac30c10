/** A test process of a whole run: serves several files, one after another. The code is then loaded and compiled for all of them.
 *  Takes the place of ava's own entry (bundle.ts). Each file has a new instance of ava's code, so that its tests and hooks are its own. */
const MOST_FILES = 12;
const ofAva = ['message', 'uncaughtException', 'unhandledRejection', 'rejectionHandled', 'beforeExit'];

const { exit } = process;
const environment = { ...process.env };
let files = 0;

async function serveFile() {
  files += 1;
  await import(`./ava.js?${files}`);
  globalThis.avaOfFile.completionHandlers.push(afterFile);
}

async function afterFile() {
  await Promise.allSettled(globalThis.avaOfFile.ends.map((end) => end()));
  process.exit = exit;
  if (files === MOST_FILES) exit(0);
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  for (const name of ofAva) process.removeAllListeners(name);
  process.once('message', serveFile);
  process.channel.ref();
  process.send('free');
}

process.once('disconnect', () => exit(0));
await serveFile();
