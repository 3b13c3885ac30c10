/** Pages that look ahead and back over a whole workspace: the forecast tried out, a week of somebody, recorded time; and an item by its number. */
import { ABSENT, day, judge, type Probe, pickItem, pickWorkspace, type Scene } from './probe.ts';
import { assignable, oversees, overseesTime, sees } from './rules.ts';

type Make = (scene: Scene) => Probe | Promise<Probe>;

const byNumber: Make = (scene) => {
  const { random, faces, caller } = scene;
  const one = pickItem(scene);
  const id = random.chance(0.06) ? ABSENT : one.id;
  return {
    ...{ name: 'page item by number', target: String(id), expected: judge(caller, id === one.id && sees(caller, one)) },
    send: () => faces.page(caller, `/items/${id}`),
  };
};

const whatIf: Make = (scene) => {
  const { faces, caller } = scene;
  const place = pickWorkspace(scene);
  return {
    ...{ name: 'page what if', target: place.ref, expected: judge(caller, oversees(caller, place)) },
    send: () => faces.page(caller, `/capacity/what-if?workspaceId=${place.id}`),
  };
};

const scopes: Make = ({ faces, caller }) => ({
  ...{ name: 'page of scopes', target: 'own', expected: judge(caller, true) },
  send: () => faces.page(caller, '/capacity/scopes'),
});

const week: Make = (scene) => {
  const { random, faces, caller } = scene;
  const place = pickWorkspace(scene);
  const people = assignable(place);
  const person = people.length > 0 ? random.pick(people) : null;
  return {
    ...{ name: 'page week', target: place.ref, expected: judge(caller, person !== null && oversees(caller, place)) },
    send: () => faces.page(caller, `/capacity/people/${person?.id ?? ABSENT}?workspaceId=${place.id}&week=${day(0)}`),
  };
};

const report: Make = (scene) => {
  const { random, faces, caller } = scene;
  const place = random.chance(0.3) ? null : pickWorkspace(scene);
  const by = random.pick(['item', 'person', 'release', 'type', 'day', 'week', 'month']);
  const file = random.chance(0.3) ? '.csv' : '';
  return {
    ...{ name: `page report${file}`, target: place?.ref ?? 'own', expected: judge(caller, place === null || overseesTime(caller, place)) },
    send: () => faces.page(caller, `/reports/time${file}?workspaceId=${place?.id ?? 0}&from=${day(-30)}&to=${day(30)}&by=${by}`),
  };
};

export const aheadProbes: [weight: number, make: Make][] = [
  [2, byNumber],
  [2, whatIf],
  [2, scopes],
  [2, week],
  [3, report],
];
