/** Texts that a thread formats (behaviour §18.15). */
import { format } from '../../../src/pages/frame/formatting/format.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const links = { items: '/workspaces/1/items', people: [{ id: 1, name: 'Bo' }] };
const usual = (text: string) => ({ text, budget: 'usual' as const });

test('texts are formatted in order, each with the links of its page', async (t) => {
  const texts = ['see #2', 'ask @Bo', '*a*'.padEnd(30_000, ' b')].map(usual);
  const [item, person, long] = await format('1', links, texts);
  t.is(item?.trim(), '<p>see <a class="ref" href="/workspaces/1/items/2">#2</a></p>');
  t.is(person?.trim(), '<p>ask <span class="mention">@Bo</span></p>');
  t.true(long?.startsWith('<p><em>a</em> b'));
  const [elsewhere] = await format('1', { items: '/workspaces/9/items' }, [usual('see #2')]);
  t.true(elsewhere?.includes('/workspaces/9/items/2'));
});

test('of very many texts that one user waits for, those without a place in the queue stay unformatted; others are served', async (t) => {
  const known = usual('*known*');
  await format('other', links, [known]);
  const pages = Array.from({ length: 40 }, (_, n) => format('busy', links, [usual(`*a* ${n}`)]));
  const [again] = await format('busy', links, [known]);
  t.is(again?.trim(), '<p><em>known</em></p>', 'formatted once, for all who read it');
  const [other] = await format('other', links, [usual('*b*')]);
  t.is(other?.trim(), '<p><em>b</em></p>');
  const made = (await Promise.all(pages)).flat();
  t.true(made.includes(null));
  t.true(made.some((one) => one?.includes('<em>a</em>')));
});
