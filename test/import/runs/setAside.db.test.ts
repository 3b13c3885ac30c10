/** Files that exceed the limits of their helper thread, and jobs whose workers die (behaviour §13.19, §13.20). */
import { prepareImport } from '../../../src/import/runs/prepare.ts';
import { FileReader, fileReader } from '../../../src/import/runs/reading.ts';
import { runImport } from '../../../src/import/runs/run.ts';
import { ImportMap } from '../../../src/import/sources/map.ts';
import { listExports, startExport } from '../../../src/import/zip/exports.ts';
import { outputOf } from '../../../src/operations/json.ts';
import { perform } from '../../../src/operations/perform.ts';
import { payloads } from '../../../src/queue/jobs.ts';
import { HelperThread, ThreadEnded, threadLimits } from '../../../src/values/helperThread.ts';
import { type TaskContext, taskList } from '../../../workers/tasks.ts';
import { unlockJobsOfDeadLanes } from '../../../workers/workerQueries.ts';
import { suite } from '../../support/suite.ts';
import { contextOf, runDueJobs } from '../../support/tasks.ts';
import { timeWorld } from '../../support/timeWorld.ts';
import { factsOf } from '../sources/reading.ts';
import { fileOf, itemOf, owner, start, stateOf, upload } from './importWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const { signal } = new AbortController();
const hasty = () => new FileReader({ ...threadLimits.imports, answerMs: 0 });
const TOO_LONG = /^The file takes too long to read\. Check that/;

/** The job ends without an error, so it is not run again. */
test('a file that takes too long to read is unreadable and tells why; the next file is read', async (t) => {
  const team = await owner(world);
  const id = await upload(world, team, fileOf([{ key: 'SA-1' }]));
  await prepareImport(world.db, { importId: id, revision: 1 }, signal, hasty());
  const run = await stateOf(world, id);
  t.is(run.state, 'unreadable');
  t.regex(run.problem, TOO_LONG);
  const next = await upload(world, team, fileOf([{ key: 'SA-2' }]));
  await runDueJobs(world);
  t.is((await stateOf(world, next)).state, 'ready');
  t.is((await stateOf(world, id)).state, 'unreadable');
});

test('an import whose file takes too long to read stops and tells why, and can be resumed', async (t) => {
  const team = await owner(world);
  const id = await upload(world, team, fileOf([{ key: 'SA-3' }]));
  await runDueJobs(world);
  await start(world, team, id);
  await runImport(world.db, id, signal, hasty());
  const run = await stateOf(world, id);
  t.is(run.state, 'stopped');
  t.regex(run.problem, TOO_LONG);
});

test('a file that needs too much memory is tried twice, then refused, and the process reads the next one', async (t) => {
  const reader = new FileReader({ ...threadLimits.imports, heapMb: 32 });
  let opened = 0;
  async function* hostile() {
    opened++;
    yield Buffer.from(`[{"number":1,"title":"One","x":[${'[],'.repeat(2_600_000)}[]]}]`);
  }
  const wanted = () => ({ map: ImportMap.parse({}), facts: factsOf() });
  await t.throwsAsync(reader.prepare(hostile, 'github', wanted(), signal), {
    message: /^The file needs too much memory to read\. Check that/,
  });
  // Each try opens the file for its head, its survey and its rows.
  t.is(opened, 6);
  async function* small() {
    yield Buffer.from('Issue key,Summary\nH-1,One\n');
  }
  t.is((await fileReader.prepare(small, 'jira', wanted(), signal)).report.issues, 1);
});

test('the CPU time of a whole file is limited, too', async (t) => {
  const reader = new FileReader({ ...threadLimits.imports, taskMs: 0 });
  async function* small() {
    yield Buffer.from('Issue key,Summary\nH-1,One\n');
  }
  await t.throwsAsync(reader.prepare(small, 'jira', { map: ImportMap.parse({}), facts: factsOf() }, signal), { message: TOO_LONG });
});

test('a head that no format fits is refused in the thread', async (t) => {
  await t.throwsAsync(fileReader.detect(1, Buffer.from('<html>'), 'x.csv'), { message: /web page or XML/ });
  t.is(await fileReader.detect(1, Buffer.from('a,b\n'), 'x.csv'), 'csv');
});

/** A worker took the job and died. */
async function die(condition: string): Promise<void> {
  await world.rows(
    `update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() - interval '1 hour', attempts = attempts + 1 where ${condition}`,
  );
  await unlockJobsOfDeadLanes(world.db.pool(), [], 1_000);
}

test('the deaths of four workers do not count for their job; after the fifth it is set aside, and its person sees why', async (t) => {
  const team = await owner(world);
  const [four, five] = [await upload(world, team, fileOf([{ key: 'SA-4' }])), await upload(world, team, fileOf([{ key: 'SA-5' }]))];
  const jobOf = (id: number) => `(payload ->> 'importId')::bigint = ${id}`;
  for (let n = 0; n < 4; n++) await die(jobOf(four));
  for (let n = 0; n < 5; n++) await die(jobOf(five));
  const jobs = await world.rows(
    `select attempts, (payload #>> '{about,deaths}')::integer as deaths from graphile_worker._private_jobs where ${jobOf(four)} or ${jobOf(five)} order by id`,
  );
  t.deepEqual(jobs, [
    { attempts: 0, deaths: 4 },
    { attempts: 0, deaths: 5 },
  ]);
  // A worker of 1.2.0 removes `about`, then checks the rest.
  const [{ rest }] = await world.rows(`select payload::jsonb - 'about' as rest from graphile_worker._private_jobs where ${jobOf(four)}`);
  t.deepEqual(payloads.prepare_import.parse(rest), { importId: four, revision: 1 });
  await runDueJobs(world);
  t.is((await stateOf(world, four)).state, 'ready');
  t.like(await stateOf(world, five), { state: 'unreadable' });
  t.regex((await stateOf(world, five)).problem, /^The server stopped several times while it worked on this import/);
  t.deepEqual(await world.rows(`select id from graphile_worker._private_jobs where ${jobOf(five)}`), []);
});

test('a running import is set aside after five deaths as stopped, and resumes where it was', async (t) => {
  const team = await owner(world);
  const id = await upload(world, team, fileOf([{ key: 'SA-6' }]));
  await runDueJobs(world);
  await start(world, team, id);
  for (let n = 0; n < 5; n++) await die(`(payload ->> 'importId')::bigint = ${id}`);
  await runDueJobs(world);
  t.like(await stateOf(world, id), { state: 'stopped', created: 0 });
  t.is(await itemOf(world, 'SA-6'), undefined);
});

test('an export is set aside after five deaths as failed, its person sees why, and can start another one', async (t) => {
  const team = await owner(world);
  const caller = { kind: 'user', userId: team.userId } as const;
  await world.rows(`update users set account_role = 'owner' where id = $1`, [team.userId]);
  const { id } = outputOf(await perform(world.db, caller, startExport, {}));
  for (let n = 0; n < 5; n++) await die(`(payload ->> 'exportId')::bigint = ${id}`);
  await runDueJobs(world);
  const [made] = outputOf(await perform(world.db, caller, listExports, {})).made;
  t.like(made, { id, state: 'failed', reason: 'stopped' });
  await t.notThrowsAsync(perform(world.db, caller, startExport, {}));
});

test('a job without a person gets no more attempts after five deaths; retried by the operator, it has all of them', async (t) => {
  const [{ id }] = await world.rows(`select id::text from graphile_worker.add_job('remind_long_timer', '{"entryId": 1}')`);
  for (let n = 0; n < 5; n++) await die(`id = ${id}`);
  await runDueJobs(world);
  const job = async () =>
    (
      await world.rows(
        `select attempts = max_attempts as ended, payload #>> '{about,deaths}' as deaths, last_error as error from graphile_worker._private_jobs where id = $1`,
        [id],
      )
    )[0];
  t.like(await job(), { ended: true, deaths: null, error: '5 workers died while they ran this job.' });
  await world.rows('select graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now(), attempts => 0)', [id]);
  await runDueJobs(world);
  t.is(await job(), undefined);
});

test('a job whose thread fails twice is set aside like one that exceeds its limits, and its person sees why', async (t) => {
  const team = await owner(world);
  const importId = await upload(world, team, fileOf([{ key: 'SA-7' }]));
  const thread = new HelperThread<string, string>(new URL('../../support/echoThread.ts', import.meta.url), { ...threadLimits.imports });
  const tasks = taskList({ prepare_import: () => thread.ask('fail') }, contextOf(world) as TaskContext);
  const job = async () =>
    (
      await world.rows(
        `select id::text, payload, payload #>> '{about,overruns}' as overruns, payload::jsonb - 'about' as rest, attempts = max_attempts as ended
         from graphile_worker._private_jobs where (payload ->> 'importId')::bigint = $1`,
        [importId],
      )
    )[0];
  const attempt = async () => {
    const { id, payload } = await job();
    return tasks.prepare_import!(payload, { abortSignal: signal, job: { id } } as never);
  };
  await t.throwsAsync(async () => attempt(), { instanceOf: ThreadEnded, message: 'The helper thread has ended.' });
  t.like(await job(), { overruns: '1', rest: { importId, revision: 1 }, ended: false });
  t.is((await stateOf(world, importId)).state, 'reading');
  await attempt();
  t.like(await job(), { overruns: null, ended: true });
  const run = await stateOf(world, importId);
  t.is(run.state, 'unreadable');
  t.regex(run.problem, /^The server stopped several times while it worked on this import/);
  await world.rows('delete from graphile_worker._private_jobs where id = $1', [(await job()).id]);
});
