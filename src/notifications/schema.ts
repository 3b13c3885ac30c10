import { z } from 'zod';
import { vias } from '../access/via.ts';
import { userKinds } from '../accounts/schema.ts';

export const kinds = [
  'mentioned',
  'approval_requested',
  'assigned',
  'owner',
  'approved_changed',
  'approval_decided',
  'commented',
  'status_changed',
  'unblocked',
  'away',
  'outlook',
  'outlook_week',
  'series_paused',
  'due_tomorrow',
  'overdue',
  'block_starts',
  'block_ends',
  'block_missed',
  'timer_long',
  'password_link',
  'password_set',
  'webhook_rests',
] as const;
export type Kind = (typeof kinds)[number];

/** `page`: inbox only. `mail`: also by mail. `digest`: also in the daily mail. `off`: none. */
export const choices = ['page', 'mail', 'digest', 'off'] as const;
export type Choice = (typeof choices)[number];

/** Overrides the choices by kind in one workspace. `page`: at most the inbox. null: no override. */
export const workspaceChoices = ['page', 'off'] as const;
export type WorkspaceChoice = (typeof workspaceChoices)[number];

export const usualChoices: Record<Kind, Choice> = {
  mentioned: 'mail',
  approval_requested: 'mail',
  assigned: 'mail',
  owner: 'mail',
  approved_changed: 'mail',
  approval_decided: 'mail',
  commented: 'digest',
  status_changed: 'page',
  unblocked: 'mail',
  away: 'digest',
  outlook: 'digest',
  outlook_week: 'digest',
  series_paused: 'mail',
  due_tomorrow: 'digest',
  overdue: 'digest',
  block_starts: 'mail',
  block_ends: 'mail',
  block_missed: 'mail',
  timer_long: 'mail',
  webhook_rests: 'mail',
  password_link: 'mail',
  password_set: 'mail',
};

/** Allowed choices. Password notifications can't be switched off, for security. */
export const allowedChoices = (kind: Kind): readonly Choice[] =>
  kind === 'password_link' || kind === 'password_set' ? ['page', 'mail'] : choices;

const Standing = z.object({
  outlook: z.enum(['overcommitted', 'at_risk', 'needs_data', 'needs_target', 'within_capacity', 'no_scope']),
  forecastDate: z.string().nullable(),
});
type Standing = z.infer<typeof Standing>;

/** What the daily renewal found for a release or milestone. */
const Told = Standing.extend({ targetDate: z.string().nullable() });

/** A line of the Monday summary. `before`: what the one of the week before said. */
const SummaryLine = Told.extend({
  item_id: z.number(),
  item_title: z.string(),
  workspace_id: z.number(),
  before: Standing.nullable(),
});
type SummaryLine = z.infer<typeof SummaryLine>;

export const NotificationRow = z.object({
  id: z.number(),
  kind: z.enum(kinds),
  created_at: z.string(),
  read_at: z.string().nullable(),
  snoozed_until: z.string().nullable(),
  due_at: z.string(),
  workspace_id: z.number().nullable(),
  block_id: z.number().nullable(),
  entry_id: z.number().nullable(),
  start_local: z.string().nullable(),
  end_local: z.string().nullable(),
  timezone: z.string().nullable(),
  reason: z.string().nullable(),
  started_at: z.string().nullable(),
  /** The creator of the password link; null if requested on the sign-in page. */
  made_by: z.string().nullable(),
  /** null if the reader can't see the item. */
  item_id: z.number().nullable(),
  item_title: z.string().nullable(),
  webhook_id: z.number().nullable(),
  webhook_url: z.string().nullable(),
  /** null: the webhook was resumed or revoked. */
  rests_because: z.enum(['failures', 'maker', 'secret', 'kinds']).nullable(),
  due_on: z.string().nullable(),
  actor: z.string().nullable(),
  actor_id: z.number().nullable(),
  actor_kind: z.enum(userKinds).nullable(),
  via: z.enum(vias).nullable(),
  credential: z.string().nullable(),
  approved: z.boolean().nullable(),
  comment_id: z.number().nullable(),
  status_before: z.string().nullable(),
  status_after: z.string().nullable(),
  /** The assignee who is away, and the last day. */
  away_name: z.string().nullable(),
  away_until: z.string().nullable(),
  outlook: Told.nullable(),
  /** Of a Monday summary: what the reader may still see, the worst first. */
  summary: z.array(SummaryLine).nullable(),
});

export const MailedRow = NotificationRow.extend({
  workspace_name: z.string().nullable(),
  item_version: z.number().nullable(),
  /** The beginning of the comment or approval message; null if the reader may not see it. */
  message_begins: z.string().nullable(),
});
export type MailedRow = z.infer<typeof MailedRow>;
export type NotificationRow = z.infer<typeof NotificationRow>;

const whyItRests = {
  failures: 'the receiver accepted no message for three days. Fix the receiver, then resume the webhook.',
  maker: 'its creator can no longer read the workspace. Create a new webhook.',
  kinds: 'it sent only approval events, which no longer exist. Create a new webhook for item.updated.',
  secret: 'its secret cannot be decrypted after a change of SECRET_KEY. Create a new webhook.',
} as const;

/** Formats of dates and times: by the reader's locale on pages, in words in mails, otherwise exact. */
export interface Words {
  day(date: string): string;
  moment(iso: string): string;
  /** Local time in `zone`, YYYY-MM-DDTHH:mm. */
  local(text: string, zone: string): string;
}

const exactly: Words = {
  day: (date) => date,
  moment: (iso) => `${clockTime(iso)} (UTC)`,
  local: (text, zone) => `${clockTime(text)} (${zone})`,
};

export function sentenceOf(row: NotificationRow, { day, moment, local }: Words = exactly): string {
  const work = row.item_title === null ? 'An item' : `“${row.item_title}”`;
  switch (row.kind) {
    case 'mentioned':
      return `${whoOf(row)} mentioned you on ${work}.`;
    case 'approval_requested':
      return `${whoOf(row)} requests your approval of ${work}.`;
    case 'assigned':
      return `${whoOf(row)} assigned ${work} to you.`;
    case 'owner':
      return `${whoOf(row)} made you the owner of ${work}.`;
    case 'approval_decided':
      return `${whoOf(row)} ${row.approved ? 'approved' : 'rejected'} ${work}.`;
    case 'commented':
      return `${whoOf(row)} commented on ${work}.`;
    case 'status_changed':
      return `${whoOf(row)} changed the status of ${work} from ${row.status_before} to ${row.status_after}.`;
    case 'unblocked':
      return `${work} is no longer blocked: the last item that it waited for is closed.`;
    case 'away':
      return `${row.away_name} is away until ${day(given(row.away_until))}. ${work} is due in that time.`;
    case 'outlook':
      return outlookSentence(work, given(row.outlook), day);
    case 'outlook_week':
      return `Your open releases and milestones: ${countsOf(row.summary ?? [])}.`;
    case 'series_paused':
      return row.item_title === null
        ? 'A recurring task of yours was paused, because you can no longer add tasks there.'
        : `${work} does not repeat at the moment: its next task could not be created. Open it to see why.`;
    case 'due_tomorrow':
      return `${work} is due tomorrow, on ${day(given(row.due_on))}.`;
    case 'overdue':
      return `${work} was due on ${day(given(row.due_on))}.`;
    case 'block_starts':
      return `${work} is planned to start at ${local(given(row.start_local), given(row.timezone))}.`;
    case 'block_ends':
      return `${work} is planned to end at ${local(given(row.end_local), given(row.timezone))}.`;
    case 'block_missed':
      return `${work}, planned for ${local(given(row.start_local), given(row.timezone))}, was missed. ${row.reason}`;
    case 'timer_long': {
      const timer = `Your timer on ${row.item_title === null ? 'an item' : work}`;
      // A correction of minutes or date removes the start.
      if (row.started_at === null) return `${timer} was running for a long time. Its time was corrected.`;
      return `${timer} has been running since ${moment(row.started_at)}. Stop it or correct its start.`;
    }
    case 'password_link':
      return `${row.made_by} created a password link for you at ${moment(row.due_at)}. If you did not request it, change your password to end the link.`;
    case 'password_set':
      return `Your password was changed at ${moment(row.due_at)} with a link ${row.made_by === null ? 'from the sign-in page' : `from ${row.made_by}`}. All sessions ended. If this was not you, tell an owner of the account.`;
    case 'approved_changed':
      return `${row.item_title === null ? 'An item' : work} was changed after you approved it. Compare both versions.`;
    case 'webhook_rests':
      return `The webhook to ${new URL(given(row.webhook_url)).host} was paused at ${moment(row.due_at)}${row.rests_because === null ? '.' : `: ${whyItRests[row.rests_because]}`}`;
  }
}

const outlookWords: Record<Standing['outlook'], string> = {
  overcommitted: 'overcommitted',
  at_risk: 'at risk',
  needs_data: 'needs data',
  needs_target: 'needs a target date',
  within_capacity: 'on track',
  no_scope: 'has no tasks',
};

function outlookSentence(work: string, { outlook, ...dates }: z.infer<typeof Told>, day: Words['day']): string {
  const words = outlook === 'within_capacity' ? 'on track again' : outlookWords[outlook];
  return `${work} is ${words}${datesOf(dates, day)
    .map((date) => `, ${date}`)
    .join('')}.`;
}

const datesOf = ({ forecastDate, targetDate }: Omit<z.infer<typeof Told>, 'outlook'>, day: Words['day']): string[] => [
  ...(forecastDate === null ? [] : [`forecast ${day(forecastDate)}`]),
  ...(targetDate === null ? [] : [`target ${day(targetDate)}`]),
];

/** "2 overcommitted, 1 on track" */
function countsOf(lines: readonly SummaryLine[]): string {
  const counts = Map.groupBy(lines, ({ outlook }) => outlook);
  return [...counts].map(([outlook, { length }]) => `${length} ${length > 1 ? pluralOf(outlook) : outlookWords[outlook]}`).join(', ');
}

const pluralOf = (outlook: Standing['outlook']): string => outlookWords[outlook].replace(/^needs/, 'need').replace(/^has/, 'have');

/** "“Out”: overcommitted, forecast 15 Dec, target 11 Dec; a week ago at risk, forecast 10 Dec." */
export function lineOf({ item_title: title, outlook, before, ...dates }: SummaryLine, { day }: Words): string {
  const now = [outlookWords[outlook], ...datesOf(dates, day)].join(', ');
  return `“${title}”: ${now}${before === null ? '' : `; ${changeOf({ outlook, ...dates }, before, day)}`}.`;
}

function changeOf(now: Standing, before: Standing, day: Words['day']): string {
  const [sameOutlook, sameDate] = [now.outlook === before.outlook, now.forecastDate === before.forecastDate];
  if (sameOutlook && sameDate) return 'unchanged in a week';
  const parts = [
    ...(sameOutlook ? [] : [outlookWords[before.outlook]]),
    ...(sameDate ? [] : [before.forecastDate === null ? 'without a forecast date' : `forecast ${day(before.forecastDate)}`]),
  ];
  return `a week ago ${parts.join(', ')}`;
}

/** A value that all notifications of its kind have. */
function given<Value>(value: Value | null): Value {
  if (value === null) throw new Error('A notification lacks a value of its kind.');
  return value;
}

function whoOf({ actor, via, credential }: NotificationRow): string {
  if (credential === null) return `${actor}`;
  return via === 'agent' ? `${actor}’s agent “${credential}”` : `${actor} (API key “${credential}”)`;
}

const clockTime = (text: string) => text.slice(0, 16).replace('T', ' ');
