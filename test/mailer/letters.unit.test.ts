/** The texts of each mail, as HTML and as plain text. */
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { excerptOf } from '../../src/mailer/letter.ts';
import { HOSTILE, mails } from '../support/mails.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];
const elements = (node: Node): Element[] => [
  ...('tagName' in node ? [node] : []),
  ...('childNodes' in node ? node.childNodes.flatMap(elements) : []),
];
const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value;

test('each mail has one button, the same link in its text, and escapes user input', (t) => {
  for (const [name, { html, text }] of Object.entries(mails)) {
    const all = elements(parse(html!));
    t.deepEqual(
      all.filter(({ tagName }) => ['script', 'img', 'b', 'iframe', 'link', 'form'].includes(tagName)),
      [],
      name,
    );
    t.true(
      all.every(({ attrs }) => attrs.every((one) => !one.name.startsWith('on') && one.name !== 'src')),
      name,
    );
    const buttons = all.filter((one) => one.tagName === 'a' && attribute(one, 'class') === 'button');
    t.is(buttons.length, 1, name);
    const href = attribute(buttons[0]!, 'href')!;
    t.true(href.startsWith('https://work.example/stint/'), name);
    t.true(text.includes(`:\n${href}\n`), `${name}: ${text}`);
    t.notRegex(text, /&amp;|&lt;|<td|undefined|null/, name);
    t.true(all.some(({ tagName }) => tagName === 'h1') && html!.includes('lang="en"'), name);
  }
});

test('a mail about an item has its number, title and workspace, and the text, shortened if long', (t) => {
  const { html, text } = mails.commented!;
  t.regex(text, /#24 Price of a vehicle .* \(Ferry booking /);
  t.regex(text, /\n> Please look\. .*…\n/);
  t.true(html!.includes('Price of a vehicle &#39;'));
  t.false(mails.assigned!.text.includes('> '), 'no one wrote anything');
  t.is(excerptOf('a\n\n b  c'), 'a b c');
  t.is([...excerptOf('😀'.repeat(400))].length, 280);
});

test('days are in words with their year, and times with their zone', (t) => {
  t.regex(mails.due_tomorrow!.text, /is due tomorrow, on Tue 24 Nov 2026\.\n/);
  t.regex(mails.block_starts!.text, /is planned to start at Mon 23 Nov 2026, 09:00 \(Europe\/Lisbon\)\.\n/);
  t.regex(mails.timer_long!.text, /since Mon 23 Nov 2026, 08:00 \(UTC\)/);
  t.is(mails.digest!.subject, 'Your notifications until Mon 23 Nov 2026');
});

test('the daily mail lists what happened, and says if there is more', (t) => {
  const { text, html } = mails.digest!;
  t.is(text.match(/^- /gm)!.length, 50 + 4 * 2, 'and the lines of four Monday summaries');
  t.regex(text, /Your inbox has more notifications\./);
  t.true(html!.includes(`${'https://work.example/stint'}/workspaces/7/items/24`));
});

test('an invitation names inviter, workspace and expiry; a requested one says that it was requested', (t) => {
  t.true(
    mails.invitation!.text.includes(
      `Ana ${HOSTILE} invites you to Island Ferries ${HOSTILE}, with the workspaces Ferry booking and ${HOSTILE}.`,
    ),
  );
  t.regex(mails.invitation!.text, /within 7 days/);
  t.regex(mails.password!.text, /within 24 hours/);
  t.regex(mails.forgotten!.text, /set a new password.*within an hour/);
});
