/** Webhook messages for Slack, Microsoft Teams and Discord: one sentence with a link (behaviour §16.10). Pure. */
import { z } from 'zod';
import { apiKinds } from '../changes/schema.ts';
import { fieldNames, fields } from '../items/fields.ts';
import type { ChatFormat } from './schema.ts';

/** `who` and `title` are texts by users, `does` is a constant text. */
interface Sentence {
  who: string;
  does: string;
  title: string;
  url: string;
}

const Row = z.object({
  kind: z.enum(apiKinds),
  itemId: z.number(),
  type: z.string(),
  title: z.string(),
  actor: z.object({ name: z.string() }).nullable(),
  fields: z.record(z.string(), z.unknown()),
});

const verbs = {
  'item.created': 'created',
  'item.archived': 'archived',
  'item.restored': 'restored',
  'item.moved': 'moved',
  'comment.created': 'commented on',
  'comment.updated': 'edited a comment on',
  'comment.deleted': 'deleted a comment on',
} as const;

const own = { title: 'title', description: 'description', status: 'status', ownerId: 'owner', labels: 'labels', blockedBy: 'blockers' };
const words = { ...own, ...Object.fromEntries(fieldNames.map((name) => [name, fields[name].label.toLowerCase()])) };
const MOST_NAMED = 5;
const list = new Intl.ListFormat('en-GB');

/** `row`: a row of changes as the webhook's creator may read it. Of its fields, only the names are used. */
export function sentenceOf(row: unknown, workspaceUrl: string): Sentence {
  const { kind, itemId, type, title, actor, fields: changed } = Row.parse(row);
  const verb = kind === 'item.updated' ? changedWords(changed) : verbs[kind];
  // Only a status that changed by approval has no actor.
  return { who: actor?.name ?? 'Approval', does: `${verb} ${type}`, title, url: `${workspaceUrl}/items/${itemId}` };
}

function changedWords(changed: Record<string, unknown>): string {
  const named = Object.entries(words).filter(([name]) => Object.hasOwn(changed, name));
  // `status` and `statusKey` have the same word.
  const distinct = [...new Set(named.map(([, word]) => word))];
  if (distinct.length === 0) return 'changed';
  return `changed ${distinct.length > MOST_NAMED ? `${distinct.length} fields` : `the ${list.format(distinct)}`} of`;
}

export const testSentence = (webhookId: number, workspaceUrl: string): Sentence => ({
  ...{ who: 'Stint', does: 'sent a test message from', title: `webhook ${webhookId}` },
  url: `${workspaceUrl}/settings/webhooks/${webhookId}`,
});

/** Keeps messages under Discord's 2,000 characters, also with all of them escaped. */
const LONGEST = { who: 100, title: 200 };

export function chatBody(format: ChatFormat, { who, does, title, url }: Sentence): string {
  const safe = { who: inert(who, LONGEST.who), does, title: inert(title, LONGEST.title), url };
  return JSON.stringify(bodies[format](safe));
}

/** Line breaks, control characters, and characters that change the direction of the text around them. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu;
/** Where chat services find mentions, URLs and domains in plain text. */
const linked = /@|:(?=\/\/)|\.(?=\p{L})/gu;
const WORD_JOINER = '\u2060';

/** An invisible word joiner keeps the text readable, but no mention and no URL is recognised in it. */
function inert(text: string, longest: number): string {
  const characters = [...text.replace(unprintable, ' ')];
  const short = characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
  return short.replace(linked, `$&${WORD_JOINER}`);
}

const bodies: Record<ChatFormat, (sentence: Sentence) => object> = {
  slack: ({ who, does, title, url }) => ({ text: `${slackText(who)} ${does} <${slackText(url)}|${slackText(title)}>` }),
  teams: teamsMessage,
  discord: ({ who, does, title, url }) => ({
    content: `${discordText(who)} ${does} [${discordText(title)}](<${url}>)`,
    allowed_mentions: { parse: [] },
  }),
};

/** A backtick in the name and one in the title would make the link code. Slack has no escape for it. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('`', "'");

/** Discord accepts a backslash before any ASCII punctuation. */
const discordText = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** For the trigger "When a Teams webhook request is received". Text runs have no Markdown, unlike text blocks. */
function teamsMessage({ who, does, title, url }: Sentence): object {
  const inlines = [
    { type: 'TextRun', text: `${who} ${does} ` },
    { type: 'TextRun', text: title, weight: 'Bolder' },
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'RichTextBlock', inlines }],
    actions: [{ type: 'Action.OpenUrl', title: 'Open in Stint', url }],
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }] };
}
