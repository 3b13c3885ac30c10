/** Options that several commands share (behaviour §2.3), parsed from text. */
import { z } from 'zod';
import { agentResources, grants, levels, resources } from '../access/rights.ts';
import { accountRoles, WeeklyHours } from '../accounts/schema.ts';
import { apiKinds } from '../changes/schema.ts';
import { CalendarDate, Zone } from '../values/dates.ts';
import { keysOf } from '../values/records.ts';
import { Id, Label } from '../values/text.ts';
import { formatNames, Kinds, WebhookFormat } from '../webhooks/schema.ts';
import { memberRoles } from '../workspaces/statuses.ts';
import { option } from './command.ts';

const text = z.string({ error: 'is required' });
const idText = text
  .regex(/^\d{1,16}$/, 'give an id: a whole number from 1 up')
  .transform(Number)
  .pipe(Id);

export const id = (thing: string) => option(idText, 'ID', `the ${thing}`);
export const optionalId = (help: string) => option(idText.optional(), 'ID', help);
export const name = (thing: string) => option(Label(200), 'NAME', `name of the ${thing}`);
const onOff = z
  .enum(['on', 'off'], { error: 'give on or off' })
  .transform((word) => word === 'on')
  .optional();
export const toggle = (help: string) => option(onOff, 'on|off', help);
export const flag = (help: string) => option(z.literal(true).optional(), null, help);

/** `a,b` as a list. The empty text and `none` give an empty list. */
const commas = (given: string) => (given === '' || given === 'none' ? [] : given.split(',').map((part) => part.trim()));
const oneOf = (words: readonly string[]) => `give some of ${words.join(', ')}, with commas between`;

function listOf<const Word extends string>(words: readonly Word[]) {
  return text.transform(commas).pipe(z.array(z.enum(words, { error: oneOf(words) })));
}

function levelsOf<const Resource extends string>(names: readonly Resource[]) {
  const message = `give levels such as ${names[0]}=write, with commas between; resources: ${names.join(', ')}; levels: ${levels.join(', ')}`;
  const Levels = z.partialRecord(z.enum(names), z.enum(levels));
  return text
    .transform((given, ctx) => {
      const pairs = commas(given).map((pair) => pair.split('='));
      const once = new Set(pairs.map(([resource]) => resource)).size === pairs.length;
      const { data } = Levels.safeParse(Object.fromEntries(pairs));
      if (once && data && pairs.every((pair) => pair.length === 2)) return data;
      ctx.issues.push({ code: 'custom', message: once ? message : 'name each resource once', input: given });
      return z.NEVER;
    })
    .optional();
}

export const accountRole = (help: string) =>
  option(z.enum(accountRoles, { error: `give one of ${accountRoles.join(', ')}` }).optional(), accountRoles.join('|'), help);
export const role = option(
  z.enum(memberRoles, { error: `give one of ${memberRoles.join(', ')}` }).optional(),
  memberRoles.join('|'),
  'their role',
);
export const access = option(levelsOf(resources), 'releases=none,…', 'levels that reduce the role; delete has no effect');
export const timeOversight = toggle('see time and capacity of others; default: same as the role');
export const grantList = option(listOf(grants), 'tasks:read,…', `grants of the key: ${grants.join(', ')}`);
export const webhookKinds = option(
  text.transform(commas).pipe(Kinds).default(null),
  'item.created,…',
  `changes to send: some of ${apiKinds.join(', ')}; default: all`,
);
export const webhookFormat = option(
  WebhookFormat,
  keysOf(formatNames).join('|'),
  'format of the messages: Stint JSON, or one sentence for a chat service; default: stint',
);
export const permissions = option(
  levelsOf(agentResources),
  'tasks=write,…',
  `levels of the agent: none, read, write or delete on ${agentResources.join(', ')}`,
);
export const limits = option(
  levelsOf(agentResources),
  'tasks=write,…',
  'highest level for any agent; default: unchanged, or none in a new workspace',
);
export const workspaceList = option(
  text
    .transform(commas)
    .pipe(z.array(idText, { error: 'give ids of workspaces, with commas between' }))
    .optional(),
  '1,2',
  'workspaces of the agent',
);
export const noNotes = option(
  z
    .literal('none', { error: 'give none. Only the owner of the notes grants access to them, on the page Agents (/mcp-access)' })
    .transform(() => [])
    .optional(),
  'none',
  'remove all access to personal notes; only their owner can grant it, on the page Agents',
);
export const timezone = option(Zone.optional(), 'ZONE', 'IANA timezone such as Europe/Berlin');
export const plainLanguage = toggle('rewrite its progress notes in plain developer language');

const hoursMessage = 'give hours per week, from 0 to 168, or none';
const hours = text
  .regex(/^(none|\d+(\.\d+)?)$/, hoursMessage)
  .transform((given) => (given === 'none' ? null : Number(given)))
  .pipe(WeeklyHours);
export const weeklyHours = option(hours.optional(), 'HOURS|none', 'working hours a week, for the forecast; none: not confirmed');

export const visibility =
  'An item is visible only if its parents are visible. Tasks in a release also need read on releases. Goals hide nothing.';

export const since = option(
  z.iso.datetime({ offset: true, error: 'give an instant such as 2026-12-31T23:00:00Z' }),
  'ISO',
  'only changes from this instant on',
);
export const sinceDay = option(text.pipe(CalendarDate), 'DATE', 'first day, such as 2026-12-31');
const instant = z.iso.datetime({ offset: true, error: 'give an instant such as 2026-12-31T23:00:00Z, or never' });
export const expires = option(
  text
    .transform((given) => (given === 'never' ? null : given))
    .pipe(instant.nullable())
    .optional(),
  'ISO|never',
  'when the key expires',
);
