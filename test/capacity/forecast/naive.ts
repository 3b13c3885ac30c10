/** behaviour §6 implemented as plainly as possible: strings for dates, day by day, fractions as [numerator, denominator]. Shares no code
 *  with src/capacity. Slow, for comparison only. */

import type { Forecast } from '../../../src/capacity/forecast/schema.ts';
import type { ForecastInput } from './forecast.ts';
import type { Container, Task } from './inputs.ts';

const HORIZON = 2600;
const shift = (date: string, days: number): string => {
  const moved = new Date(`${date}T12:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
};
const weekday = (date: string): number => (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7;
const isWorkday = (date: string): boolean => weekday(date) < 5;
const monday = (date: string): string => shift(date, -weekday(date));
const closed = (status: string): boolean => ['done', 'cancelled'].includes(status);

function workdays(from: string, to: string): string[] {
  const days = [];
  for (let day = from; day <= to; day = shift(day, 1)) if (isWorkday(day)) days.push(day);
  return days;
}

const firstWorkday = (date: string): string => (isWorkday(date) ? date : firstWorkday(shift(date, 1)));

/** A number with at most five decimals, in hundred-thousandths. */
const parts = (value: number): bigint => BigInt(Math.round(value * 1e5));

/** Rounds half up to a number of decimals. */
function round(numerator: bigint, denominator: bigint, decimals: number): number {
  const scaled = numerator * 10n ** BigInt(decimals) * 2n + denominator;
  let floor = scaled / (2n * denominator);
  if (scaled % (2n * denominator) < 0n) floor -= 1n;
  return Number(floor) / 10 ** decimals;
}

const hours = (minutes: number): number => round(BigInt(minutes), 60n, 2);

function remaining(task: Task): number {
  if (closed(task.status) || task.estimatedHours === null) return 0;
  if (task.progressPercent === null) {
    const estimated = Number((60n * parts(task.estimatedHours) + 99_999n) / 100_000n);
    return estimated > task.recordedMinutes ? estimated - task.recordedMinutes : 0;
  }
  const numerator = 60n * parts(task.estimatedHours) * (100n * 100_000n - parts(task.progressPercent));
  const denominator = 100_000n * 100_000n * 100n;
  return Number((numerator + denominator - 1n) / denominator);
}

const hasLeft = (task: Task): boolean => task.assigneeLeft && !closed(task.status) && (task.estimatedHours === null || remaining(task) > 0);

/** The person whose time the task takes. */
const worker = (task: Task): number | null => (hasLeft(task) ? null : task.assigneeId);

type Person = ForecastInput['people'][number];
const dateOfDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Weekly minutes and working days on a date: those of the latest begun entry. */
function hoursOn(person: Person, date: string): { weekly: number; weekdays: number; confirmed: boolean } {
  let found = { weekly: person.weeklyMinutes ?? 2400, weekdays: person.calendar?.weekdays ?? 31, confirmed: person.weeklyMinutes !== null };
  let since = '';
  for (const { firstDay, weeklyMinutes, weekdays } of person.calendar?.hours ?? []) {
    const begins = dateOfDay(firstDay);
    if (begins > date || begins < since) continue;
    found = { weekly: weeklyMinutes, weekdays, confirmed: true };
    since = begins;
  }
  return found;
}

const works = (weekdays: number, day: number): boolean => Math.floor(weekdays / 2 ** day) % 2 === 1;
const workdaysOf = (weekdays: number): number[] => [0, 1, 2, 3, 4, 5, 6].filter((day) => works(weekdays, day));

/** 0, 1 or 2 halves of a working day. */
function presence(person: Person, date: string): number {
  if (!works(hoursOn(person, date).weekdays, weekday(date))) return 0;
  const away = (person.calendar?.away ?? []).filter(({ firstDay, lastDay }) => dateOfDay(firstDay) <= date && date <= dateOfDay(lastDay));
  return away.length === 0 ? 2 : away.every(({ half }) => half) ? 1 : 0;
}

function minutesOf(person: Person, date: string): number {
  const { weekly, weekdays } = hoursOn(person, date);
  const days = workdaysOf(weekdays);
  const k = days.indexOf(weekday(date));
  if (k < 0) return 0;
  const whole = Math.floor((weekly * (k + 1)) / days.length) - Math.floor((weekly * k) / days.length);
  return Math.floor((whole * presence(person, date)) / 2);
}

/** Everything that a person's hours are, from the beginning on. */
const allHours = (person: Person): number[] => [
  person.weeklyMinutes ?? 2400,
  ...(person.calendar?.hours ?? []).map((one) => one.weeklyMinutes),
];

const hasHours = (person: Person, today: string): boolean =>
  hoursOn(person, today).weekly > 0 ||
  (person.calendar?.hours ?? []).some(({ firstDay, weeklyMinutes }) => dateOfDay(firstDay) > today && weeklyMinutes > 0);

/** Share of a day in spread work, in whole parts of a week. */
function weightOn(person: Person, date: string): bigint {
  const { weekly, weekdays } = hoursOn(person, date);
  const each = allHours(person).every((minutes) => minutes === 0) ? 1 : weekly;
  return BigInt((each * 420 * presence(person, date)) / workdaysOf(weekdays).length);
}

interface Simulated {
  days: Map<string, number>;
  start: string | null;
  finish: string | 'never' | null;
}

export function naiveForecast(input: ForecastInput): Omit<Forecast, 'scopeNote'> {
  const { today } = input;
  const from = monday(input.from ?? today);
  const tasks = input.tasks.filter((task) => task.status !== 'cancelled');
  const containerOf = new Map(input.containers.map((container) => [container.id, container]));
  const people = new Map(input.people.map((one) => [one.id, one]));

  const topOf = (id: number): Container => {
    const container = containerOf.get(id)!;
    if (container.type !== 'requirement') return container;
    if (container.releaseId !== null) return topOf(container.releaseId);
    return container.parentId === null ? container : topOf(container.parentId);
  };
  const projectOf = (task: Task): Container | null => {
    const link = task.releaseId ?? task.requirementId ?? task.milestoneId;
    const top = link === null ? null : topOf(link);
    return top === null || closed(top.status) ? null : top;
  };
  const targetOf = (project: Container | null): string | null => project?.targetDate ?? project?.dueDate ?? null;
  const deadlineOf = (task: Task): string | null => task.dueDate ?? targetOf(projectOf(task));

  const urgency = (a: Task, b: Task): number => {
    const keys = (task: Task) => [deadlineOf(task) ?? '9999', -(task.priorityRank ?? -1e9), task.startDate ?? '', task.id];
    const [left, right] = [keys(a), keys(b)];
    const differing = left.findIndex((key, at) => key !== right[at]);
    return differing < 0 ? 0 : left[differing]! < right[differing]! ? -1 : 1;
  };

  const lacksDate = (task: Task): boolean =>
    task.estimatedHours === null || (remaining(task) > 0 && (worker(task) === null || !hasHours(people.get(worker(task)!)!, today)));

  const taskOf = new Map(input.tasks.map((task) => [task.id, task]));
  const isAbove = (task: Task, container: number): boolean => {
    const links = [task.releaseId, task.requirementId, task.milestoneId];
    for (const id of links) {
      if (id === container) return true;
      const link = id === null ? undefined : containerOf.get(id)!;
      if (link?.type === 'requirement') links.push(link.releaseId, link.parentId);
    }
    return false;
  };
  const waitsFor = (task: Task) =>
    input.dependencies.filter(({ itemId, blockerId }) => itemId === task.id && !closed(taskOf.get(blockerId)?.status ?? 'open'));

  /** Open tasks and blocking containers with a date: all that they wait for has one. */
  const dated = new Set<number>();
  const isDated = (id: number): boolean => {
    const task = taskOf.get(id);
    if (task) return !lacksDate(task) && waitsFor(task).every(({ blockerId }) => dated.has(blockerId));
    const members = containerOf.has(id) ? tasks.filter((one) => isAbove(one, id)) : [];
    return members.length > 0 && members.every((one) => closed(one.status) || dated.has(one.id));
  };
  const candidates = [
    ...tasks.filter(({ status }) => !closed(status)).map(({ id }) => id),
    ...input.dependencies.map((one) => one.blockerId),
  ];
  for (let grown = true; grown; ) {
    const found = candidates.filter((id) => !dated.has(id) && isDated(id));
    for (const id of found) dated.add(id);
    grown = found.length > 0;
  }

  function simulate(load: (minutes: number) => number): Map<Task, Simulated> {
    const results = new Map<Task, Simulated>(tasks.map((task) => [task, { days: new Map(), start: null, finish: null }]));
    const now = firstWorkday(today);
    const finishOf = (id: number): string | null => {
      const task = taskOf.get(id);
      if (task) return results.get(task)!.finish;
      const open = tasks.filter((one) => isAbove(one, id) && !closed(one.status)).map((one) => results.get(one)!.finish);
      return open.includes(null) ? null : (open.sort().at(-1) ?? now);
    };
    const earliest = (task: Task): string | null => {
      let day = today;
      for (const { blockerId, lagDays } of waitsFor(task)) {
        const finish = finishOf(blockerId);
        if (finish === null) return null;
        let from = firstWorkday(shift(finish, 1));
        for (let n = 0; n < lagDays; n++) from = firstWorkday(shift(from, 1));
        if (from > day) day = from;
      }
      return day;
    };
    const idle = tasks.filter((task) => !closed(task.status) && remaining(task) === 0);
    const passOn = (): void => {
      for (let n = 0; n <= idle.length; n++)
        for (const task of idle) {
          const result = results.get(task)!;
          const waits = waitsFor(task).length > 0;
          if (result.finish !== null || (waits && !dated.has(task.id))) continue;
          const day = waits ? earliest(task) : now;
          result.start = day;
          result.finish = day;
        }
    };
    const queue = tasks.filter((task) => dated.has(task.id) && remaining(task) > 0).sort(urgency);
    const left = new Map(queue.map((task) => [task, load(remaining(task))]));
    passOn();
    const last = workdays(today, shift(today, 3700))[HORIZON - 1]!;
    for (let day = today; day <= last && [...left.values()].some((minutes) => minutes > 0); day = shift(day, 1)) {
      const ready = queue.filter((task) => left.get(task)! > 0 && (task.startDate ?? '') <= day && (earliest(task) ?? '9999') <= day);
      for (const person of people.values()) {
        let free = minutesOf(person, day);
        for (const task of ready.filter((one) => worker(one) === person.id)) {
          const spent = Math.min(free, left.get(task)!);
          if (spent === 0) continue;
          const result = results.get(task)!;
          free -= spent;
          left.set(task, left.get(task)! - spent);
          result.days.set(day, spent);
          result.start ??= day;
          if (left.get(task) === 0) result.finish = day;
        }
      }
      passOn();
    }
    for (const task of [...queue, ...idle]) {
      const result = results.get(task)!;
      if (dated.has(task.id) && (result.finish === null || result.finish > last)) {
        result.finish = 'never';
        if (remaining(task) === 0) result.start = null;
      }
    }
    return results;
  }

  const plain = simulate((minutes) => minutes);
  const buffered = simulate((minutes) => Math.ceil((5 * minutes) / 4));

  const lacksData = (task: Task): boolean => !closed(task.status) && !dated.has(task.id);
  const unconfirmed = (task: Task): boolean =>
    remaining(task) > 0 && worker(task) !== null && !hoursOn(people.get(worker(task)!)!, today).confirmed;

  const isProject = (container: Container): boolean => !closed(container.status) && topOf(container.id) === container;

  const projects = input.containers.filter(isProject).map((project) => {
    const mine = tasks.filter((task) => projectOf(task) === project).sort((a, b) => a.id - b.id);
    const open = mine.filter((task) => !closed(task.status));
    const target = targetOf(project);
    const scope = mine.reduce((sum, task) => sum + parts(task.estimatedHours ?? 0), 0n);
    const left = BigInt(mine.reduce((sum, task) => sum + remaining(task), 0));
    const blind = open.some(lacksData);
    const latest = (run: Map<Task, Simulated>): string | null => {
      if (open.length === 0)
        return mine.reduce<string | null>((last, { completedDate: on }) => (on !== null && on > (last ?? '') ? on : last), null);
      // 'never' sorts after every date.
      const last = open
        .map((task) => run.get(task)!.finish ?? '')
        .sort()
        .at(-1)!;
      return blind ? null : last;
    };
    const forecastDate = latest(plain);
    // Longer blockers may let another task begin before the one that waits for them.
    const bufferedDate = [forecastDate, latest(buffered)].sort().at(-1)!;
    const outlook = (): Forecast['projects'][number]['outlook'] => {
      if (mine.length === 0) return 'no_scope';
      if (open.length === 0) return 'within_capacity';
      if (blind) return 'needs_data';
      if (target === null) return 'needs_target';
      if (forecastDate! > target) return 'overcommitted';
      return bufferedDate! > target ? 'at_risk' : 'within_capacity';
    };
    const shown = (date: string | null): string | null => (date === 'never' ? null : date);
    const live = {
      scopeHours: round(scope, 100_000n, 2),
      remainingHours: round(left, 60n, 2),
      weightedProgress: scope === 0n ? null : round(100n * (scope * 60n - left * 100_000n), scope * 60n, 1),
    };
    const mondays = Array.from({ length: 8 }, (_, back) => shift(monday(today), -7 * back)).filter((date) => date !== today);
    return {
      id: project.id,
      title: project.title,
      targetDate: target,
      forecastDate: shown(forecastDate),
      bufferedDate: shown(bufferedDate),
      ...live,
      bufferedHours: round(5n * left, 240n, 2),
      outlook: outlook(),
      method: 'edf-daily/1 buffer=0.25',
      dataIncomplete: blind || open.some(unconfirmed),
      trend: [
        ...mondays.reverse().flatMap((date) => input.trend.filter((point) => point.projectId === project.id && point.date === date)),
        { date: today, ...live },
      ].map(({ date, scopeHours, remainingHours, weightedProgress }) => ({ date, scopeHours, remainingHours, weightedProgress })),
      work: mine.map((task) => {
        const { start, finish } = plain.get(task)!;
        const due = deadlineOf(task);
        const isOpen = !closed(task.status);
        const some = remaining(task) > 0;
        const assignee = worker(task) === null ? null : people.get(worker(task)!)!;
        const issues = [
          isOpen && task.estimatedHours === null ? 'no_estimate' : null,
          isOpen && task.progressPercent === null && (task.estimatedHours ?? 0) > 0 && !some ? 'over_estimate' : null,
          some && task.assigneeId === null ? 'no_assignee' : null,
          hasLeft(task) ? 'assignee_left' : null,
          some && assignee && !hasHours(assignee, today) ? 'no_capacity' : null,
          unconfirmed(task) ? 'unconfirmed_capacity' : null,
          isOpen && task.dueDate !== null && task.dueDate < today ? 'overdue' : null,
          task.status === 'blocked' ? 'blocked' : null,
        ].filter((issue) => issue !== null) as Forecast['projects'][number]['work'][number]['issues'];
        const { id, title, status, assigneeId, startDate, dueDate, estimatedHours, progressPercent } = task;
        return {
          ...{ id, title, status, assigneeId, startDate, dueDate, estimatedHours, progressPercent },
          remainingHours: hours(remaining(task)),
          forecastStart: start,
          forecastDate: shown(finish),
          late: finish !== null && due !== null && finish > due,
          issues,
        };
      }),
    };
  });

  const allocated = (task: Task): Map<string, number> => {
    const due = deadlineOf(task);
    if (due === null) return plain.get(task)!.days;
    const minutes = remaining(task);
    const begin = task.startDate !== null && task.startDate > today ? task.startDate : today;
    const person = people.get(worker(task)!)!;
    const days: [string, bigint][] = [];
    for (let day = begin; day <= due; day = shift(day, 1)) if (weightOn(person, day) > 0n) days.push([day, weightOn(person, day)]);
    if (days.length === 0) {
      const present = Array.from({ length: 3_700 }, (_, n) => n).find((n) => weightOn(person, shift(today, n)) > 0n);
      return new Map([[present === undefined ? firstWorkday(today) : shift(today, present), minutes]]);
    }
    const all = days.reduce((sum, [, weight]) => sum + weight, 0n);
    let before = 0n;
    return new Map(
      days.map(([day, weight]) => {
        const share = (part: bigint): number => Number((BigInt(minutes) * part) / all);
        before += weight;
        return [day, share(before) - share(before - weight)];
      }),
    );
  };

  const listed = [...people.values()].filter(
    ({ id, assignable }) =>
      assignable ||
      tasks.some((task) => task.assigneeId === id && (!closed(task.status) || projectOf(task) !== null)) ||
      [...input.recorded, ...input.planned].some((row) => row.personId === id),
  );

  const answerPeople = listed.map((person) => {
    const { id, name } = person;
    const load = new Map<string, number>();
    for (const task of tasks.filter((one) => worker(one) === id && remaining(one) > 0))
      for (const [day, minutes] of allocated(task)) load.set(monday(day), (load.get(monday(day)) ?? 0) + minutes);
    const sum = (rows: ForecastInput['recorded'], week: string): number =>
      rows.filter((row) => row.personId === id && monday(row.date) === week).reduce((total, row) => total + row.minutes, 0);
    const weeks = Array.from({ length: 8 }, (_, n) => {
      const week = shift(from, 7 * n);
      const [all, recorded, planned] = [load.get(week) ?? 0, sum(input.recorded, week), sum(input.planned, week)];
      const available = Array.from({ length: 7 }, (_, n) => minutesOf(person, shift(week, n))).reduce(
        (total, minutes) => total + minutes,
        0,
      );
      const lastDay = Math.max(4, ...workdaysOf(hoursOn(person, shift(week, 6)).weekdays));
      const demand = shift(week, lastDay) < today ? recorded : Math.max(all + recorded, planned);
      return {
        week,
        availableHours: hours(available),
        allocatedHours: hours(all),
        plannedHours: hours(planned),
        recordedHours: hours(recorded),
        overHours: hours(Math.max(0, demand - available)),
        overextended: demand > available,
        loadPercent: available === 0 ? null : round(100n * BigInt(demand), BigInt(available), 1),
      };
    });
    const { weekly, confirmed } = hoursOn(person, today);
    return { id, name, weeklyHours: hours(weekly), confirmed, weeks };
  });

  const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id;
  return {
    workspaceId: input.workspaceId,
    today,
    from,
    weeks: 8,
    timezone: 'UTC',
    projects: projects.sort(byId),
    people: answerPeople.sort(byId),
  };
}
