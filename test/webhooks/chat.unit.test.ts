import { chatBody, sentenceOf, testSentence } from '../../src/webhooks/chat.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const url = 'https://stint.example/base/workspaces/3';
const row = (more: object = {}) => ({
  ...{ id: 9, kind: 'item.updated', itemId: 42, type: 'task', title: 'Write the report', version: 3, via: 'rest', keyName: null },
  ...{ at: '2026-03-02T09:00:00.000Z', actor: { id: 7, name: 'Ana Lind' }, fields: {}, ...more },
});
const words = (more: object): string => {
  const { who, does, title } = sentenceOf(row(more), url);
  return `${who} ${does} ${title}`;
};
const slack = (who: string, title: string): string => JSON.parse(chatBody('slack', { who, does: 'created task', title, url })).text;
const discord = (who: string, title: string): string => JSON.parse(chatBody('discord', { who, does: 'created task', title, url })).content;

test('a sentence says who changed what of which item, without values', (t) => {
  const secret: [string, string] = ['SECRET', 'HIDDEN'];
  t.is(words({ fields: { status: secret, statusKey: secret } }), 'Ana Lind changed the status of task Write the report');
  t.is(
    words({ fields: { description: true, dueDate: secret, labels: [['SECRET'], []] } }),
    'Ana Lind changed the description, labels and due date of task Write the report',
  );
  const many = { title: secret, ownerId: secret, dueDate: secret, startDate: secret, assigneeId: secret, estimatedHours: secret };
  t.is(words({ fields: many }), 'Ana Lind changed 6 fields of task Write the report');
  t.is(words({ fields: { constructor: secret } }), 'Ana Lind changed task Write the report');
  t.is(words({ actor: null, fields: { status: secret } }), 'Approval changed the status of task Write the report');
  const said = { 'item.created': 'created', 'item.archived': 'archived', 'item.restored': 'restored', 'item.moved': 'moved' };
  const onComments = { created: 'commented on', updated: 'edited a comment on', deleted: 'deleted a comment on' };
  for (const [kind, verb] of Object.entries(said))
    t.is(words({ kind, fields: { title: secret } }), `Ana Lind ${verb} task Write the report`);
  for (const [step, verb] of Object.entries(onComments))
    t.is(words({ kind: `comment.${step}`, commentId: 1, fields: {} }), `Ana Lind ${verb} task Write the report`);
  t.is(sentenceOf(row(), url).url, 'https://stint.example/base/workspaces/3/items/42');
});

test('Slack gets no mention and no link but its own from names and titles', (t) => {
  t.is(slack('Ana & Bo', 'a < b > c'), `Ana &amp; Bo created task <${url}|a &lt; b &gt; c>`);
  const hostile = slack('<!channel> `', '<https://evil.example|x>` @here\nhttp://evil.example www.evil.example');
  t.is(hostile.match(/</g)!.length, 1);
  t.is(hostile.match(/>/g)!.length, 1);
  t.true(hostile.endsWith('>') && hostile.includes(`<${url}|`));
  t.notRegex(hostile, /`|\n|@here|https?:\/\/evil|evil\.example/);
});

test('Discord escapes Markdown in names and titles, allows no mentions, and stays under 2,000 characters', (t) => {
  t.is(discord('Ana', 'Plan'), `Ana created task [Plan](<${url}>)`);
  const hostile = discord('# @everyone <@1>', '](https://evil.example) `x` **b** <@&2>');
  t.true(hostile.startsWith('\\# \\@'));
  t.notRegex(hostile.replace(`](<${url}>)`, '').replace('task [', ''), /(?<!\\)[\][()<>*`#@:]/);
  t.notRegex(hostile, /@everyone|evil\.example/);
  const longest = JSON.parse(
    chatBody('discord', sentenceOf(row({ title: '@'.repeat(300), actor: { id: 1, name: '@'.repeat(200) } }), url)),
  );
  t.true(longest.content.length < 1_500);
  t.true(longest.content.endsWith(`](<${url}/items/42>)`));
  t.deepEqual(longest.allowed_mentions, { parse: [] });
});

test('Teams gets an Adaptive Card with plain text runs and one link', (t) => {
  const { type, attachments } = JSON.parse(chatBody('teams', sentenceOf(row({ title: '[x](https://evil.example)' }), url)));
  t.is(type, 'message');
  t.is(attachments[0].contentType, 'application/vnd.microsoft.card.adaptive');
  const { type: card, body, actions } = attachments[0].content;
  t.is(card, 'AdaptiveCard');
  t.deepEqual(body, [
    {
      type: 'RichTextBlock',
      inlines: [
        { type: 'TextRun', text: 'Ana Lind changed task ' },
        { type: 'TextRun', text: '[x](https:\u2060//evil.\u2060example)', weight: 'Bolder' },
      ],
    },
  ]);
  t.deepEqual(actions, [{ type: 'Action.OpenUrl', title: 'Open in Stint', url: `${url}/items/42` }]);
});

test('a text that would turn the direction of the sentence or break its line becomes plain; versions and emoji stay', (t) => {
  t.is(slack('A\u202eB\u2066', 'v1.2 👩‍💻\u2028x'), `A B  created task <${url}|v1.2 👩‍💻 x>`);
});

test('a test message names the webhook and links to its page', (t) => {
  t.is(JSON.parse(chatBody('slack', testSentence(5, url))).text, `Stint sent a test message from <${url}/settings/webhooks/5|webhook 5>`);
});
