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
  const numerator = 60n * parts(task.estimatedHours) * (100n * 100_000n - parts(task.progressPercent ?? 0));
  const denominator = 100_000n * 100_000n * 100n;
  return Number((numerator + denominator - 1n) / denominator);
}

const hasLeft = (task: Task): boolean => task.assigneeLeft && !closed(task.status) && (task.estimatedHours === null || remaining(task) > 0);

/** The person whose time the task takes. */
const worker = (task: Task): number | null => (hasLeft(task) ? null : task.assigneeId);

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
  const people = new Map(input.people.map((one) => [one.id, { ...one, weekly: one.weeklyMinutes ?? 2400 }]));

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

  function simulate(load: (minutes: number) => number): Map<Task, Simulated> {
    const results = new Map<Task, Simulated>();
    for (const { id, weekly } of people.values()) {
      const queue = tasks.filter((task) => worker(task) === id && remaining(task) > 0).sort(urgency);
      const left = new Map(queue.map((task) => [task, load(remaining(task))]));
      for (const task of queue) results.set(task, { days: new Map(), start: null, finish: weekly > 0 ? 'never' : null });
      if (weekly === 0) continue;
      let day = firstWorkday(today);
      for (let n = 0; n < HORIZON && [...left.values()].some((minutes) => minutes > 0); n++, day = firstWorkday(shift(day, 1))) {
        const k = weekday(day);
        let free = Math.floor((weekly * (k + 1)) / 5) - Math.floor((weekly * k) / 5);
        for (const task of queue) {
          const spent = Math.min(free, left.get(task)!);
          if (spent === 0 || (task.startDate !== null && task.startDate > day)) continue;
          const result = results.get(task)!;
          free -= spent;
          left.set(task, left.get(task)! - spent);
          result.days.set(day, spent);
          result.start ??= day;
          if (left.get(task) === 0) result.finish = day;
        }
      }
    }
    for (const task of tasks) {
      const idle = !closed(task.status) && remaining(task) === 0;
      const now = idle ? firstWorkday(today) : null;
      if (!results.has(task)) results.set(task, { days: new Map(), start: now, finish: now });
    }
    return results;
  }

  const plain = simulate((minutes) => minutes);
  const buffered = simulate((minutes) => Math.ceil((5 * minutes) / 4));

  const lacksData = (task: Task): boolean =>
    !closed(task.status) &&
    (task.estimatedHours === null || (remaining(task) > 0 && (worker(task) === null || people.get(worker(task)!)!.weekly === 0)));
  const unconfirmed = (task: Task): boolean =>
    remaining(task) > 0 && worker(task) !== null && people.get(worker(task)!)!.weeklyMinutes === null;

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
    const [forecastDate, bufferedDate] = [latest(plain), latest(buffered)];
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
          some && task.assigneeId === null ? 'no_assignee' : null,
          hasLeft(task) ? 'assignee_left' : null,
          some && assignee?.weekly === 0 ? 'no_capacity' : null,
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
    const days = workdays(begin, due);
    if (days.length === 0) return new Map([[firstWorkday(today), minutes]]);
    const share = (j: number): number => Math.floor((minutes * j) / days.length);
    return new Map(days.map((day, j) => [day, share(j + 1) - share(j)]));
  };

  const listed = [...people.values()].filter(
    ({ id, assignable }) =>
      assignable ||
      tasks.some((task) => task.assigneeId === id && (!closed(task.status) || projectOf(task) !== null)) ||
      [...input.recorded, ...input.planned].some((row) => row.personId === id),
  );

  const answerPeople = listed.map(({ id, name, weekly, weeklyMinutes }) => {
    const load = new Map<string, number>();
    for (const task of tasks.filter((one) => worker(one) === id && remaining(one) > 0))
      for (const [day, minutes] of allocated(task)) load.set(monday(day), (load.get(monday(day)) ?? 0) + minutes);
    const sum = (rows: ForecastInput['recorded'], week: string): number =>
      rows.filter((row) => row.personId === id && monday(row.date) === week).reduce((total, row) => total + row.minutes, 0);
    const weeks = Array.from({ length: 8 }, (_, n) => {
      const week = shift(from, 7 * n);
      const [all, recorded, planned] = [load.get(week) ?? 0, sum(input.recorded, week), sum(input.planned, week)];
      const demand = shift(week, 4) < today ? recorded : Math.max(all + recorded, planned);
      return {
        week,
        availableHours: hours(weekly),
        allocatedHours: hours(all),
        plannedHours: hours(planned),
        recordedHours: hours(recorded),
        overHours: hours(Math.max(0, demand - weekly)),
        overextended: demand > weekly,
        loadPercent: weekly === 0 ? null : round(100n * BigInt(demand), BigInt(weekly), 1),
      };
    });
    return { id, name, weeklyHours: hours(weekly), confirmed: weeklyMinutes !== null, weeks };
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
