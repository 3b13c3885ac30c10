/** Absences, dated hours and public holidays: who may enter and see them, what is refused, and what the forecast makes of them. */
import { newSecret } from '../../src/access/secrets.ts';
import { chooseHolidays, listHolidays, renewHolidays } from '../../src/accounts/holidays.ts';
import { changeWeeklyHours } from '../../src/accounts/people.ts';
import {
  addAbsence,
  changeWorkingDays,
  getWorkingTimes,
  removeAbsence,
  removeHoursFrom,
  setHoursFrom,
} from '../../src/accounts/workingTimes.ts';
import { tryWhatIf } from '../../src/capacity/whatIf/whatIf.ts';
import { myWeek } from '../../src/overviews/myWeek.ts';
import { addDays, mondayOf } from '../../src/values/dates.ts';
import { Conflict, Forbidden, InvalidRequest } from '../../src/values/errors.ts';
import { act, ownWorld, type Place, place, world } from '../capacity/snapshots/place.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);
ownWorld();

const today = () => new Date().toISOString().slice(0, 10);
const nextMonday = () => addDays(mondayOf(today()), 7);
const absence = (over: object) => ({
  from: nextMonday(),
  to: addDays(nextMonday(), 4),
  half: false,
  reason: 'Knee',
  shared: false,
  ...over,
});

/** A member of the workspace, signed in. */
async function member(at: Place) {
  const [{ id }] = await world.rows(
    `insert into users (account_id, email, name) values ($1, 'bo' || floor(random() * 1e9) || '@acme.example', 'Bo') returning id`,
    [at.accountId],
  );
  await world.rows(`insert into memberships (account_id, workspace_id, user_id, role) values ($1, $2, $3, 'member')`, [
    at.accountId,
    at.workspaceId,
    id,
  ]);
  const { hash } = newSecret('session');
  await world.rows(`insert into sessions (account_id, user_id, token_hash, expires_at) values ($1, $2, $3, now() + interval '1 hour')`, [
    at.accountId,
    id,
    hash,
  ]);
  return { id: Number(id), caller: { kind: 'session', hash } as const };
}

const weeks = async ({ owner, workspaceId }: Place, userId: number) => {
  const { before } = await act(owner, tryWhatIf, { workspaceId, tasks: [], people: [] });
  return before.people.find(({ id }: { id: number }) => id === userId).weeks.map((week: { availableHours: number }) => week.availableHours);
};

test('a private reason is visible to the person only, a shared one to those who set their hours', async (t) => {
  const at = await place();
  const bo = await member(at);
  await act(bo.caller, addAbsence, { userId: bo.id, ...absence({}) });
  await act(bo.caller, addAbsence, {
    userId: bo.id,
    ...absence({ from: addDays(nextMonday(), 7), to: addDays(nextMonday(), 8), reason: 'Fair', shared: true }),
  });
  const reasons = async (caller: Place['owner']) =>
    (await act(caller, getWorkingTimes, { userId: bo.id })).absences.map((one: { reason: string }) => one.reason);
  t.deepEqual(await reasons(bo.caller), ['Fair', 'Knee']);
  t.deepEqual(await reasons(at.owner), ['Fair', null]);
});

test('the person and administrators enter absences; other members and other accounts do not', async (t) => {
  const [at, other] = [await place(), await place()];
  const [bo, eve] = [await member(at), await member(at)];
  for (const caller of [eve.caller, other.owner]) {
    await t.throwsAsync(act(caller, addAbsence, { userId: bo.id, ...absence({}) }), { instanceOf: Forbidden });
    await t.throwsAsync(act(caller, getWorkingTimes, { userId: bo.id }), { instanceOf: Forbidden });
    await t.throwsAsync(act(caller, setHoursFrom, { userId: bo.id, from: today(), weeklyHours: 20, workingDays: ['mon'] }), {
      instanceOf: Forbidden,
    });
    await t.throwsAsync(act(caller, chooseHolidays, { userId: bo.id, region: 'DE' }), { instanceOf: Forbidden });
  }
  await t.throwsAsync(act(bo.caller, setHoursFrom, { userId: bo.id, from: today(), weeklyHours: 20, workingDays: ['mon'] }), {
    instanceOf: Forbidden,
  });
  await t.throwsAsync(act(bo.caller, chooseHolidays, { userId: null, region: 'DE' }), { instanceOf: Forbidden });
  const { id } = await act(at.owner, addAbsence, { userId: bo.id, ...absence({}) });
  await t.throwsAsync(act(eve.caller, removeAbsence, { userId: eve.id, id }), { instanceOf: Forbidden });
  await act(bo.caller, removeAbsence, { userId: bo.id, id });
  t.deepEqual((await act(bo.caller, getWorkingTimes, { userId: bo.id })).absences, []);
});

test('overlaps, a wrong order of days, and more than two years are refused', async (t) => {
  const at = await place();
  const add = (over: object) => act(at.owner, addAbsence, { userId: at.userId, ...absence(over) });
  await add({});
  await t.throwsAsync(add({ to: nextMonday() }), { instanceOf: Conflict, message: /overlaps an absence/ });
  await t.throwsAsync(add({ from: '2030-05-02', to: '2030-05-01' }), { instanceOf: InvalidRequest });
  await t.throwsAsync(add({ from: '2030-05-02', to: '2033-05-01' }), { instanceOf: InvalidRequest });
  const twins = await Promise.allSettled([1, 2, 3].map(() => add({ from: '2031-01-06', to: '2031-01-06' })));
  t.is(twins.filter(({ status }) => status === 'fulfilled').length, 1, 'of concurrent overlapping ones, one is stored');
});

test('the weeks follow absences, half days, dated hours and working days', async (t) => {
  const at = await place();
  const { owner, userId } = at;
  await act(owner, changeWeeklyHours, { userId, weeklyHours: 40 });
  const monday = nextMonday();
  await act(owner, addAbsence, { userId, ...absence({ from: monday, to: addDays(monday, 2) }) });
  await act(owner, addAbsence, { userId, ...absence({ from: addDays(monday, 7), to: addDays(monday, 8), half: true }) });
  await act(owner, setHoursFrom, { userId, from: addDays(monday, 14), weeklyHours: 20, workingDays: ['mon', 'tue'] });
  t.deepEqual((await weeks(at, userId)).slice(0, 5), [40, 16, 32, 20, 20]);
  await act(owner, removeHoursFrom, { userId, from: addDays(monday, 14) });
  await act(owner, changeWorkingDays, { userId, workingDays: ['sat', 'sun'] });
  t.deepEqual((await weeks(at, userId)).slice(0, 4), [40, 40, 40, 40], 'absences on other days than working days cost nothing');
  t.is((await act(owner, getWorkingTimes, { userId })).weekdays, 96);
});

test('hours that are set now end dated hours that have begun, and keep their working days', async (t) => {
  const at = await place();
  const { owner, userId } = at;
  await act(owner, setHoursFrom, { userId, from: addDays(today(), -3), weeklyHours: 24, workingDays: ['mon', 'tue', 'wed'] });
  await act(owner, setHoursFrom, { userId, from: addDays(today(), 90), weeklyHours: 10, workingDays: ['fri'] });
  t.like(await act(owner, getWorkingTimes, { userId }), { weeklyMinutes: 24 * 60, weekdays: 7 });
  await act(owner, changeWeeklyHours, { userId, weeklyHours: 30 });
  const now = await act(owner, getWorkingTimes, { userId });
  t.like(now, { weeklyMinutes: 30 * 60, weekdays: 7 });
  t.deepEqual(
    now.hours.map(({ weeklyMinutes }: { weeklyMinutes: number }) => weeklyMinutes),
    [600],
  );
});

test('holidays are listed before they count; a person may have others than the account, or none', async (t) => {
  const at = await place();
  const { owner, userId } = at;
  const bo = await member(at);
  const year = new Date().getUTCFullYear();
  const { regions, days } = await act(owner, listHolidays, { region: 'DE-BY' });
  t.true(regions.some(({ id, name }: { id: string; name: string }) => id === 'DE-BY' && name === 'Germany: Bayern'));
  t.true(days.some(({ day, name }: { day: string; name: string }) => day === `${year}-01-06` && name === 'Epiphany'));
  t.is(await world.value(`select count(*)::int from holidays where region = 'DE-BY'`, []), 0, 'nothing is stored by looking');

  await act(owner, chooseHolidays, { userId: null, region: 'DE-BY' });
  await act(bo.caller, chooseHolidays, { userId: bo.id, region: 'none' });
  const from = `${year + 1}-01-04`;
  const week = async (id: number) => {
    const { before } = await act(owner, tryWhatIf, { workspaceId: at.workspaceId, from, tasks: [], people: [] });
    return before.people.find((one: { id: number }) => one.id === id);
  };
  const epiphany = new Date(`${year + 1}-01-06T00:00Z`).getUTCDay();
  const lost = epiphany > 0 && epiphany < 6 ? 8 : 0;
  t.is(
    (await week(userId)).away.some(({ holiday }: { holiday: string }) => holiday === 'Epiphany'),
    lost > 0,
  );
  t.is((await week(bo.id)).away, undefined);
  await world.rows(`delete from holidays where region = 'DE-BY'`, []);
  await renewHolidays(world.db, new AbortController().signal);
  t.true(
    (await world.value(`select count(*)::int from holidays where region = 'DE-BY'`, [])) > 100,
    'a weekly job stores the coming years',
  );
  await t.throwsAsync(act(owner, chooseHolidays, { userId: null, region: 'XX' }), { instanceOf: InvalidRequest });
  await t.throwsAsync(act(owner, chooseHolidays, { userId: null, region: "DE'; drop" }), { instanceOf: InvalidRequest });
});

test('changes mark the forecasts that show the person, and no others', async (t) => {
  const at = await place();
  const bo = await member(at);
  const marked = async (change: () => Promise<unknown>) => {
    await world.rows('delete from capacity_marks where account_id = $1', [at.accountId]);
    await change();
    return (await world.rows('select workspace_id from capacity_marks where account_id = $1', [at.accountId])).map(
      (row) => row.workspace_id,
    );
  };
  const userId = bo.id;
  let id = 0;
  t.deepEqual(await marked(async () => ({ id } = await act(bo.caller, addAbsence, { userId, ...absence({}) }))), [at.workspaceId]);
  t.deepEqual(await marked(() => act(bo.caller, removeAbsence, { userId, id })), [at.workspaceId]);
  const from = addDays(today(), 9);
  t.deepEqual(await marked(() => act(at.owner, setHoursFrom, { userId, from, weeklyHours: 9, workingDays: ['mon'] })), [at.workspaceId]);
  t.deepEqual(await marked(() => act(at.owner, removeHoursFrom, { userId, from })), [at.workspaceId]);
  t.deepEqual(await marked(() => act(at.owner, changeWorkingDays, { userId, workingDays: ['mon'] })), [at.workspaceId]);
  t.deepEqual(await marked(() => act(bo.caller, chooseHolidays, { userId, region: 'FR' })), [at.workspaceId]);
  await world.rows(`update users set holiday_region = 'FR' where account_id = $1`, [at.accountId]);
  t.deepEqual(await marked(() => act(at.owner, chooseHolidays, { userId: null, region: 'FR' })), [], 'no one has the account’s holidays');
});

test('My week counts the same hours as the forecast', async (t) => {
  const at = await place();
  const { owner, userId } = at;
  const read = async (date: string) => act(owner, myWeek, { date, zone: 'UTC', itemId: null });
  const monday = nextMonday();
  t.is((await read(monday)).weeklyMinutes, null, 'not confirmed');
  await act(owner, changeWeeklyHours, { userId, weeklyHours: 38.35 });
  await act(owner, addAbsence, { userId, ...absence({ from: addDays(monday, 1), to: addDays(monday, 2) }) });
  await act(owner, addAbsence, { userId, ...absence({ from: addDays(monday, 3), to: addDays(monday, 3), half: true }) });
  await act(owner, setHoursFrom, { userId, from: addDays(monday, 11), weeklyHours: 20.2, workingDays: ['mon', 'tue', 'sun'] });
  await act(owner, chooseHolidays, { userId, region: 'DE' });
  const forecast = await weeks(at, userId);
  for (const n of [1, 2, 3, 4, 5, 6, 7]) {
    const week = await read(addDays(monday, 7 * (n - 1)));
    t.is(Math.round((week.weeklyMinutes * 5) / 3) / 100, forecast[n], `week ${n}`);
  }
  t.deepEqual((await read(monday)).away, [addDays(monday, 1), addDays(monday, 2)]);
});
