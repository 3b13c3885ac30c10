/** Jobs act with the rights their user has at that minute: plan blocks, reminders and mail in random situations, checked against
 *  independent rules. ACCESS_SEED chooses another town. */
import { Random } from '../chaos/random.ts';
import { fileDatabase } from '../support/database.ts';
import { Fixtures } from '../support/restWorld.ts';
import { mailServer } from '../support/smtp.ts';
import { suite } from '../support/suite.ts';
import { isThorough } from '../support/thorough.ts';
import { queueOf, runningWorker } from '../support/workers.ts';
import { buildTown } from './outside/build.ts';
import { level, maySee, sees } from './outside/rules.ts';
import { shift } from './outside/shift.ts';
import type { Caller, Item, User, Workspace } from './outside/town.ts';

const test = suite(import.meta.url);

const seed = Number(process.env.ACCESS_SEED ?? 20_261_121);
const SHIFTS = isThorough ? 60 : 20;
const REMINDERS = isThorough ? 4 : 2;

const database = fileDatabase();

interface Planned {
  ref: string;
  user: User;
  item: Item;
  starts: boolean;
}

const local = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16);

/** Plans a few reminders for each member of each workspace, and one plan block per person that starts by itself. All are due. */
function planner(random: Random, all: Planned[]) {
  return ({ ref, members, items }: Workspace) =>
    [...members.keys()].flatMap((user) => {
      const first = !all.some((one) => one.user === user);
      return Array.from({ length: REMINDERS }, (_, n) => {
        const planned = { ref: `${ref}${user.ref}b${n}`, user, item: random.pick(items), starts: first && n === 0 };
        all.push(planned);
        return {
          ...{ ref: planned.ref, user: user.ref, item: planned.item.ref, startLocal: local(-5), endLocal: local(60), timezone: 'UTC' },
          ...{ autoStart: planned.starts, remindStart: !planned.starts },
        };
      });
    });
}

for (const round of isThorough ? [0, 1, 2] : [0]) {
  test(`jobs do and send only what their user may do and see at that time, town ${round}`, async (t) => {
    t.log(`ACCESS_SEED=${seed}`);
    const random = new Random(seed).fork(`jobs ${round}`);
    const fixtures = new Fixtures(database.url);
    t.teardown(() => fixtures.close());
    const planned: Planned[] = [];
    const town = await buildTown(database.url, fixtures, random, planner(random, planned));
    for (let n = 0; n < SHIFTS; n++) await shift(town, random, fixtures);
    await fixtures.sql(`update users set password_hash = 'set' where id % 4 <> 0`);
    const mails = await mailServer(t);
    const queue = await queueOf(t, database.url);
    const worker = await runningWorker(t, database.url, { env: { SMTP_URL: mails.url } });
    await queue.until('select count(*) = 0 from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts', 60_000);
    worker.kill('SIGTERM');
    let started = 0;
    for (const { ref, user, item, starts } of planned) {
      const id = town.refs.id(ref);
      const person: Caller = { user, face: 'session' };
      const { workspace } = item;
      const [block] = await queue.rows('select state, reason from plan_blocks where id = $1', [id]);
      const told = (await queue.rows('select kind from notifications where block_id = $1', [id])).map(({ kind }) => kind);
      const may = user.active && sees(person, item) && level(person, workspace, 'plans') >= 2 && level(person, workspace, 'time') >= 2;
      const where = `${ref}: ${user.ref} on ${item.ref}`;
      if (starts) {
        started += may ? 1 : 0;
        t.deepEqual([block.state, told], may ? ['running', []] : ['missed', ['block_missed']], `${where}: ${block.reason}`);
      } else {
        const reads = user.active && level(person, workspace, 'plans') >= 1;
        t.deepEqual([block.state, told], ['scheduled', reads ? ['block_starts'] : []], where);
      }
    }
    t.true(started > 0 && started < town.users.length, `${started} started`);
    await checkMails();

    /** Checks one mail for each notification of an active member, without anything the recipient may not see. */
    async function checkMails() {
      const [{ count }] = await queue.rows(
        'select count(*) from notifications n join users u on u.id = n.user_id and u.active and u.password_hash is not null where n.user_id = any($1)',
        [town.users.map(({ id }) => id)],
      );
      t.is(mails.taken.length, Number(count));
      for (const text of mails.taken) {
        const marks = town.marks.in(decoded(text));
        const reader = marks.find((owned) => owned.kind === 'email');
        if (reader?.kind !== 'email') return t.fail(text);
        t.true(reader.user.active);
        t.deepEqual(
          marks.filter((owned) => !maySee({ user: reader.user, face: 'session' }, owned)),
          [],
          text,
        );
      }
      t.true(
        mails.taken.some((text) => town.marks.in(decoded(text)).some(({ kind }) => kind === 'item')),
        'no mail names an item',
      );
    }
  });
}

/** Decodes quoted-printable as far as the marks need it. */
const decoded = (text: string) => text.replace(/=\n/g, '');
