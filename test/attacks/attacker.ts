/** `node test/attacks/attacker.ts ATTACK TARGET`: attacks until it hears SIGTERM, then prints what it was answered, as JSON. */
import { Tally, type Target } from './attack.ts';
import { attacks } from './attacks.ts';

const [name = '', target = '{}'] = process.argv.slice(2);
const end = new AbortController();
const tally = new Tally();
const finish = () => {
  end.abort();
  // What is still under way is not waited for: a server under attack may owe it an answer for long.
  setImmediate(() => {
    console.log(JSON.stringify(tally.counts));
    process.exit(0);
  });
};
process.on('SIGTERM', finish);
attacks[name]!.prepare?.();
console.log('attacking');
process.setMaxListeners(0);
// Sockets that are not read keep no process alive.
setInterval(() => {}, 60_000);
await attacks[name]!.run(JSON.parse(target) as Target, end.signal, tally);
