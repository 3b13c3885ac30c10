/** `node test/attacks/attacker.ts ATTACK TARGET`: attacks until SIGTERM, then prints its answers as JSON. */
import { Tally, type Target } from './attack.ts';
import { attacks } from './attacks.ts';

const [name = '', target = '{}'] = process.argv.slice(2);
const end = new AbortController();
const tally = new Tally();
const finish = () => {
  end.abort();
  // Don't wait for open requests: a server under attack may take long to answer.
  setImmediate(() => {
    console.log(JSON.stringify(tally.counts));
    process.exit(0);
  });
};
process.on('SIGTERM', finish);
attacks[name]!.prepare?.();
console.log('attacking');
process.setMaxListeners(0);
// Unread sockets keep no process alive.
setInterval(() => {}, 60_000);
await attacks[name]!.run(JSON.parse(target) as Target, end.signal, tally);
