/** The meaning of a cell's text in the week grid (behaviour §28.3). */
import fc from 'fast-check';
import { cellMinutes, type Part, stepOf } from '../../src/time/saveGrid.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const part = (id: number, minutes: number, kind: 'manual' | 'timer' = 'manual', runs = false): Part => ({
  minutes,
  entry: {
    ...{ id, revision: 1, workspace_id: 1, item_id: 1, item_title: 'Words', kind, note: '', corrected: false, day: '2026-11-16' },
    ...{ started_at: kind === 'timer' ? '2026-11-16T09:00:00.000Z' : null, ended_at: null, minutes: runs ? null : minutes },
  },
});

test('a cell takes durations like the quick line; a number alone is hours, and an empty cell is none', (t) => {
  const lengths = {
    '1:30': 90,
    '1h30': 90,
    '45m': 45,
    '1.5': 90,
    '1,5': 90,
    '2': 120,
    '2 h': 120,
    '': 0,
    ' ': 0,
    '0': 0,
    '0:00': 0,
    '1.25h': 75,
  };
  for (const [typed, minutes] of Object.entries(lengths)) t.is(cellMinutes(typed), minutes, typed);
  for (const typed of ['x', '9-11', '1:75', '-1', '1:30 on words', '=1+1', '45 45']) t.true(Number.isNaN(cellMinutes(typed)), typed);
});

test('one manual entry gets the typed value, and an empty cell deletes it', (t) => {
  t.like(stepOf([part(7, 60)], { minutes: 90, was: 60 }), { do: 'correct', minutes: 90 });
  t.like(stepOf([part(7, 60)], { minutes: 0, was: 60 }), { do: 'correct', minutes: 0 });
  t.like(stepOf([part(7, 60), part(8, 0)], { minutes: 30, was: 60 }), { do: 'correct', minutes: 30 }, 'a deleted entry does not count');
  t.deepEqual(stepOf([part(8, 0)], { minutes: 30, was: 0 }), { do: 'add', minutes: 30 });
});

test("a larger value adds the difference to several entries or a timer's; a smaller one is refused", (t) => {
  for (const parts of [[part(7, 60), part(8, 30)], [part(9, 90, 'timer')]]) {
    t.deepEqual(stepOf(parts, { minutes: 120, was: 90 }), { do: 'add', minutes: 30 });
    t.deepEqual(stepOf(parts, { minutes: 60, was: 90 }), { do: 'several' });
    t.deepEqual(stepOf(parts, { minutes: 60, was: 80 }), { do: 'moved' });
    t.deepEqual(stepOf(parts, { minutes: 90, was: 90 }), { do: 'nothing' });
  }
  t.deepEqual(stepOf([part(9, 5, 'timer', true)], { minutes: 60, was: 5 }), { do: 'running' });
});

test('after saving, a cell has the typed value, or nothing changed', (t) => {
  const entries = fc.array(fc.record({ minutes: fc.nat(300), kind: fc.constantFrom('manual' as const, 'timer' as const) }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(entries, fc.nat(1_440), fc.boolean(), (made, minutes, seen) => {
      const parts = made.map((one, n) => part(n + 1, one.minutes, one.kind));
      const held = parts.reduce((sum, one) => sum + one.minutes, 0);
      const step = stepOf(parts, { minutes, was: seen ? held : held + 1 });
      if (!seen) return step.do === 'moved';
      if (step.do === 'add') return held + step.minutes === minutes && step.minutes > 0;
      if (step.do === 'correct') return held - step.entry.minutes! + step.minutes === minutes;
      return step.do === 'several' ? minutes < held : step.do === 'nothing' && minutes === held;
    }),
  );
  t.pass();
});
