/** Pages for a whole workspace: what-if, a person's week, recorded time. Also an item by its number. */
import type { Answer } from './faces.ts';
import { ABSENT, day, judge, type Probe, pickItem, pickWorkspace, type Scene } from './probe.ts';
import { assignable, oversees, overseesTime, sees } from './rules.ts';
import type { User, Workspace } from './town.ts';

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

/** The text for a person who is not an active member of the workspace. */
const absenceText = (user: User, place: Workspace): string | undefined =>
  !user.active ? 'deactivated' : place.members.has(user) ? undefined : 'left the workspace';

const whatIf: Make = (scene) => {
  const { faces, caller } = scene;
  const place = pickWorkspace(scene);
  const left = /<option value="(\d+)"[^>]*>[^<]* \((deactivated|left the workspace)\)</g;
  return {
    ...{ name: 'page what if', target: place.ref, expected: judge(caller, oversees(caller, place)) },
    send: () => faces.page(caller, `/capacity/what-if?workspaceId=${place.id}`),
    check: (body: string) => {
      const said = [...body.matchAll(left)].map(([, id, words]) => ({
        user: place.account.users.find((one) => one.id === Number(id)),
        words,
      }));
      const wrong = said.find(({ user, words }) => !user || absenceText(user, place) !== words);
      return wrong ? `says of ${wrong.user?.ref}: ${wrong.words}` : null;
    },
  };
};

/** Repeats the request until the first snapshot is computed. */
async function onceComputed(send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send();
  return answer.outcome === 'unavailable' ? onceComputed(send) : answer;
}

const capacity: Make = (scene) => {
  const { faces, caller } = scene;
  const place = pickWorkspace(scene);
  // Ignores the frame, which names its reader.
  const wordsOf = (body: string, { name }: User) => body.slice(body.indexOf('<main')).split(`<b>${name}</b><span>`)[1]?.split('<')[0];
  return {
    ...{ name: 'page capacity', target: place.ref, expected: judge(caller, oversees(caller, place)) },
    send: () => onceComputed(() => faces.page(caller, `/capacity?workspaceId=${place.id}`)),
    check: (body: string) => {
      const listed = place.account.users.filter((user) => wordsOf(body, user) !== undefined);
      const wrong = listed.find((user) => {
        const wanted = absenceText(user, place);
        return wanted ? wordsOf(body, user) !== wanted : !/ a week/.test(wordsOf(body, user)!);
      });
      return wrong ? `says of ${wrong.ref}: ${wordsOf(body, wrong)} instead of ${absenceText(wrong, place)}` : null;
    },
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
  [2, capacity],
  [2, scopes],
  [2, week],
  [3, report],
];
