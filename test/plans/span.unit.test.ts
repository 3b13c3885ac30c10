import { parseInput } from '../../src/operations/input.ts';
import { BlockArguments } from '../../src/plans/arguments.ts';
import { spanOf } from '../../src/plans/schema.ts';
import { AppError } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const span = (startLocal: string, endLocal: string, zone = 'Europe/Berlin') => spanOf({ startLocal, endLocal }, zone);

test('local times are read in the zone', (t) => {
  t.deepEqual(span('2026-03-02T09:00', '2026-03-02T11:00'), { startsAt: '2026-03-02T08:00:00.000Z', endsAt: '2026-03-02T10:00:00.000Z' });
});

test('a time that the zone skips is refused by its name', (t) => {
  t.throws(() => span('2026-03-29T02:30', '2026-03-29T04:00'), { instanceOf: AppError, message: /^startLocal: .*skip/ });
  t.throws(() => span('2026-03-29T01:30', '2026-03-29T02:30'), { instanceOf: AppError, message: /^endLocal: .*skip/ });
});

test('of a time that occurs twice the first is taken', (t) => {
  t.deepEqual(span('2026-10-25T02:30', '2026-10-25T04:00'), { startsAt: '2026-10-25T00:30:00.000Z', endsAt: '2026-10-25T03:00:00.000Z' });
});

test('the end must be after the start, in real time', (t) => {
  t.throws(() => span('2026-03-02T09:00', '2026-03-02T09:00'), { message: /^endLocal: must be after/ });
  t.throws(() => span('2026-03-02T09:00', '2026-03-02T08:00'), { message: /^endLocal: must be after/ });
});

test('24 hours are the maximum, in real time', (t) => {
  t.is(span('2026-03-02T09:00', '2026-03-03T09:00').endsAt, '2026-03-03T08:00:00.000Z');
  t.throws(() => span('2026-03-02T09:00', '2026-03-03T09:01'), { message: /at most 24 hours/ });
  // The night when clocks go back has 25 hours.
  t.throws(() => span('2026-10-25T00:00', '2026-10-26T00:00'), { message: /at most 24 hours/ });
});

test('an option that is off by default is the same omitted or given', (t) => {
  const parsed = (more: object) =>
    parseInput(BlockArguments, { action: 'create', itemId: 1, startLocal: '2026-03-02T09:00', endLocal: '2026-03-02T10:00', ...more });
  t.deepEqual(parsed({}), parsed({ autoStart: false, autoStop: false, remindStart: false, remindEnd: false, note: '' }));
  t.deepEqual(parsed({ remindStart: true }), parsed({ remindStart: true, remindMinutes: 10 }));
  t.false('autoStart' in parseInput(BlockArguments, { action: 'cancel', blockId: 1 }));
});

test('an argument of another action is refused by its name', (t) => {
  const times = { action: 'create', itemId: 1, startLocal: '2026-03-02T09:00', endLocal: '2026-03-02T10:00' };
  const cases: [object, RegExp][] = [
    [{ action: 'create', itemId: 1, startLocal: '2026-03-02T09:00' }, /^endLocal: is required/],
    [{ action: 'cancel', blockId: 1, autoStart: false }, /^autoStart: does not belong to action cancel/],
    [{ action: 'start', itemId: 1 }, /^blockId: is required/],
    [{ action: 'start', blockId: 1, note: 'x' }, /^note: does not belong/],
    [{ action: 'create', itemId: 1, startLocal: '2026-03-02 09:00', endLocal: '2026-03-02T10:00' }, /^startLocal: /],
    [{ action: 'create', itemId: 1, startLocal: '2026-03-02T09:00', endLocal: '2026-03-02T10:00', timezone: '+01:00' }, /^timezone: /],
    [{ ...times, remindMinutes: 30 }, /^remindMinutes: give it with remindStart true/],
    [{ ...times, remindStart: true, remindMinutes: 121 }, /^remindMinutes: give whole minutes from 0 to 120/],
    [{ action: 'move' }, /^blockId: is required/],
    [{ action: 'shift' }, /^action: give one of create, move, start, cancel/],
  ];
  for (const [given, message] of cases) t.throws(() => parseInput(BlockArguments, given), { instanceOf: AppError, message });
});
