/** The format of import files, behaviour §2.6. Refs are names local to the file. Unknown properties are refused. */

import { z } from 'zod';
import { agentResources, grants, itemTypes, levels, resources } from '../access/rights.ts';
import { HolidayRegion } from '../accounts/holidays.ts';
import { NewPassword } from '../accounts/password.ts';
import { accountRoles, Email, userKinds, WeeklyHours } from '../accounts/schema.ts';
import { MOST_DAYS, WorkingDays } from '../accounts/workingTimes.ts';
import { reactions } from '../comments/schema.ts';
import { personalNoteRights } from '../connections/personalNoteRights.ts';
import { linkNames } from '../items/fields.ts';
import { LabelNames, LagDays, MOST_BLOCKERS } from '../items/relationSchema.ts';
import { Description, StatusSchema, WorkFields } from '../items/schema.ts';
import { limits } from '../operations/limits.ts';
import { MAX_BYTES, MovedCipher } from '../personal-notes/attachments.ts';
import { RemindMinutes, USUAL_REMIND_MINUTES } from '../plans/schema.ts';
import { Rule } from '../recurring/rule.ts';
import { modes } from '../recurring/schema.ts';
import { TemplateName, templateItems } from '../templates/schema.ts';
import { CalendarDate, daysBetween, LocalDateTime, Zone } from '../values/dates.ts';
import { elementAt, recordOf } from '../values/records.ts';
import { Id, Label, longest, Text, Title } from '../values/text.ts';
import { LabelDescription, LabelName, labelColors } from '../workspaces/labelSchema.ts';
import { forecastReaders, WipLimits } from '../workspaces/schema.ts';
import { approvalStatuses, approvalTypes, memberRoles } from '../workspaces/statuses.ts';
import type { LongList } from './file/scan.ts';
import { formats } from './sources/source.ts';

const Ref = Text(1, 200);
const Instant = z.iso.datetime({ offset: true, error: 'give an instant such as 2026-03-02T09:00:00Z' });
const Expiry = Instant.nullable().optional();
const Flag = z.boolean({ error: 'give true or false' });
const pointer = 'give {"ref": "name"} with the ref of an entry of this file, or null';
/** A ref in place of an item id, because a file does not know database ids. */
const Pointer = z.strictObject({ ref: Ref }, { error: pointer }).nullable();
const list = <T extends z.ZodType>(entry: T) => z.array(entry).default([]);
const Level = z.enum(levels);
const AgentLevels = z.partialRecord(z.enum(agentResources), Level);

/** Half: only half of each working day. */
const Absence = z
  .strictObject({
    from: CalendarDate,
    to: CalendarDate,
    half: Flag.default(false),
    reason: Text(0, 200).default(''),
    shared: Flag.default(false),
  })
  .refine(({ from, to }) => from <= to && daysBetween(from, to) < MOST_DAYS, {
    path: ['to'],
    error: 'give a last day within two years after the first',
  });
const Hours = z.strictObject({ from: CalendarDate, weeklyHours: WeeklyHours.unwrap(), workingDays: WorkingDays });
const overlap = (absences: z.infer<typeof Absence>[]) => {
  const sorted = absences.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return sorted.some(({ from }, n) => n > 0 && from <= elementAt(sorted, n - 1).to);
};

const User = z.strictObject({
  ref: Ref.optional(),
  email: Email,
  name: Label(200),
  accountRole: z.enum(accountRoles).default('member'),
  kind: z.enum(userKinds).default('person'),
  password: NewPassword.nullable().optional(),
  timezone: Zone.default('UTC'),
  weeklyHours: WeeklyHours.default(null),
  workingDays: WorkingDays.optional(),
  /** Hours and working days from a date on. */
  hours: list(Hours).refine((all) => new Set(all.map(({ from }) => from)).size === all.length, 'use each date once'),
  absences: list(Absence).refine((all) => !overlap(all), 'give absences that do not overlap'),
  /** Default: the account's. "none": no public holidays. */
  holidayRegion: HolidayRegion.nullable().default(null),
  active: Flag.default(true),
});

const Member = z.strictObject({
  user: Ref,
  role: z.enum(memberRoles),
  timeOversight: Flag.nullable().default(null),
  access: z.partialRecord(z.enum(resources), Level).default({}),
});

const Status = z
  .strictObject({
    key: Label(100),
    label: Label(200),
    types: z.array(z.enum(itemTypes)).min(1, 'name at least one type'),
    status: StatusSchema,
    ...WipLimits.partial().shape,
  })
  .refine(({ status, types }) => !approvalStatuses.includes(status) || types.every((type) => approvalTypes.includes(type)), {
    path: ['types'],
    error: 'give only requirement and release: other types have no approval',
  });
const rankMessage = 'give a whole number; higher is more urgent';
const Priority = z.strictObject({
  key: Label(100),
  label: Label(200),
  rank: z.int(rankMessage).min(-2_147_483_648, rankMessage).max(2_147_483_647, rankMessage),
  default: Flag.default(false),
});

const refs = ['assigneeId', ...linkNames] as const;
const links = recordOf(refs, () => Pointer);
const Blocker = z.strictObject({ ref: Ref, lagDays: LagDays.default(0) });
const Item = z.strictObject({
  ref: Ref.optional(),
  type: z.enum(itemTypes),
  title: Title,
  description: Description.default(''),
  status: StatusSchema.optional(),
  archived: Flag.default(false),
  /** Default: now. */
  createdAt: Instant.optional(),
  /** For done items that changed later. `progressPercent` and `actualDate` are then taken from the file. */
  completedAt: Instant.optional(),
  ownerId: Pointer.default(null),
  /** Names of the workspace's labels. */
  labels: LabelNames.default([]),
  /** Its key in the service from which it was imported; unique in the workspace. */
  /** `shadowed`: another item of the workspace has the key, too, and imports update that one first. */
  source: z
    .strictObject({ name: z.enum(formats), key: Text(1, 200), url: Text(1, longest.line).optional(), shadowed: z.boolean().default(false) })
    .optional(),
  blockedBy: list(Blocker).refine((all) => all.length <= MOST_BLOCKERS, `give at most ${MOST_BLOCKERS} items`),
  fields: WorkFields.extend(z.strictObject(links).partial().shape).default({}),
});

const WorkspaceLabel = z.strictObject({
  name: LabelName,
  color: z.enum(labelColors).default('grey'),
  description: LabelDescription.default(''),
  archived: Flag.default(false),
});

const CommentReaction = z.strictObject({
  user: Ref,
  reaction: z.enum(reactions, { error: `choose one of ${reactions.join(', ')}` }),
  createdAt: Instant.optional(),
});
const Comment = z.strictObject({
  item: Ref,
  author: Ref,
  body: Text(1, longest.comment),
  /** The author's text of a comment that was rewritten in plain language. */
  originalBody: Text(1, longest.comment).optional(),
  createdAt: Instant.optional(),
  reactions: list(CommentReaction),
});

const minutesMessage = 'give whole minutes, from 1 to 1440';
const timeMessage = 'give date and minutes, or startedAt and a later endedAt';
/** Manual entries have `date` and `minutes`, timers have `startedAt` and `endedAt`. */
const TimeEntry = z
  .strictObject({
    user: Ref,
    item: Ref,
    date: CalendarDate.optional(),
    minutes: z.int(minutesMessage).min(1, minutesMessage).max(1440, minutesMessage).optional(),
    startedAt: Instant.optional(),
    endedAt: Instant.optional(),
    note: Text(0, longest.line).default(''),
    /** The workspace in which it was recorded before the item moved: it counts there. */
    writtenIn: Ref.optional(),
    /** The same for a workspace that the file does not have: only the user reads it. */
    writtenElsewhere: z.boolean().default(false),
  })
  .refine(({ date, minutes, startedAt, endedAt }) => {
    if (startedAt === undefined || endedAt === undefined) return date !== undefined && minutes !== undefined && !startedAt && !endedAt;
    return date === undefined && minutes === undefined && Date.parse(startedAt) <= Date.parse(endedAt);
  }, timeMessage);

const PlanBlock = z.strictObject({
  ref: Ref.optional(),
  user: Ref,
  item: Ref,
  startLocal: LocalDateTime,
  endLocal: LocalDateTime,
  /** Default: the user's. */
  timezone: Zone.optional(),
  note: Text(0, longest.line).default(''),
  autoStart: Flag.default(false),
  autoStop: Flag.default(false),
  remindStart: Flag.default(false),
  remindMinutes: RemindMinutes.default(USUAL_REMIND_MINUTES),
  remindEnd: Flag.default(false),
  /** `scheduled` becomes `missed` if its end is past. */
  state: z.enum(['scheduled', 'finished', 'cancelled', 'missed']).default('scheduled'),
  reason: Text(1, longest.line).optional(),
});

const Template = z.strictObject({ name: TemplateName, items: templateItems(LabelNames.default([])) });

/** How a task repeats. `lastOn`: the date of this task, which is the latest one. */
const Series = z.strictObject({
  item: Ref,
  user: Ref,
  rule: Rule,
  mode: z.enum(modes).default('day'),
  startsOn: CalendarDate,
  lastOn: CalendarDate,
  paused: Flag.default(false),
});

const hasUniqueKeys = (entries: { key: string }[]) => new Set(entries.map(({ key }) => key)).size === entries.length;
const Workspace = z.strictObject({
  ref: Ref.optional(),
  name: Label(200),
  sample: Flag.default(false),
  archived: Flag.default(false),
  mcp: z.strictObject({ enabled: Flag.default(false), limits: AgentLevels.default({}) }).default({ enabled: false, limits: {} }),
  /** Who sees dates and outlooks of forecasts. */
  forecasts: z.enum(forecastReaders).default('oversight'),
  members: list(Member),
  /** `added`: adds to the default statuses and priorities. `whole`: replaces them, in the file's order. */
  workflow: z.enum(['added', 'whole']).default('added'),
  statuses: list(Status).refine(hasUniqueKeys, 'use each key once'),
  priorities: list(Priority)
    .refine(hasUniqueKeys, 'use each key once')
    .refine((all) => all.filter((one) => one.default).length <= 1, 'make one of them the default'),
  labels: list(WorkspaceLabel)
    .refine((all) => all.length <= limits.labels.most, `give at most ${limits.labels.most} labels`)
    .refine((all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length, 'use each name once'),
  templates: list(Template)
    .refine((all) => all.length <= limits.templates.most, `give at most ${limits.templates.most} templates`)
    .refine((all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length, 'use each name once'),
  series: list(Series).refine((all) => new Set(all.map(({ item }) => item)).size === all.length, 'use each item once'),
  items: list(Item),
  comments: list(Comment),
  timeEntries: list(TimeEntry),
  planBlocks: list(PlanBlock),
});

const fileMessage = 'give either text or base64, not both';
const Attachment = z
  .strictObject({
    name: Label(200),
    text: Text(0, 1_000_000).optional(),
    base64: z
      .base64({ error: 'give base64' })
      .max(Math.ceil(MAX_BYTES / 3) * 4, 'give at most 5 MiB')
      .optional(),
  })
  .refine(({ text, base64 }) => text === undefined || base64 === undefined, fileMessage);

const contentMessage = 'give html, or cipher if the note is encrypted, not both';
const PersonalNote = z
  .strictObject({
    ref: Ref.optional(),
    user: Ref,
    folder: Label(200).nullable().default(null),
    html: Text(1, 131_072).optional(),
    cipher: MovedCipher.optional(),
    protection: z.enum(['none', 'locked', 'encrypted']).default('none'),
    createdAt: Instant.optional(),
    updatedAt: Instant.optional(),
    attachments: list(Attachment),
  })
  .refine(({ html, cipher, protection }) => (html === undefined) !== (cipher === undefined) && (!cipher || protection === 'encrypted'), {
    path: ['html'],
    error: contentMessage,
  });

const NoteFolder = z.strictObject({ user: Ref, name: Label(200) });

const RestKey = z.strictObject({
  ref: Ref.optional(),
  user: Ref,
  name: Label(200).default('Key'),
  grants: list(z.enum(grants)),
  expiresAt: Expiry,
});

const Connection = z.strictObject({
  ref: Ref.optional(),
  user: Ref,
  name: Label(200).default('Agent'),
  workspaces: list(Ref),
  permissions: AgentLevels.default({}),
  /** Default: the user's. */
  timezone: Zone.optional(),
  expiresAt: Expiry,
  plainLanguage: Flag.default(false),
  notes: list(z.enum(personalNoteRights)),
});

const Existing = z.strictObject({
  id: Id,
  /** Existing users, with the refs that the file uses for them. */
  users: list(z.strictObject({ ref: Ref, email: Email })),
});

const Account = z
  .strictObject({
    name: Label(200).optional(),
    /** Instead of a name: adds to this existing account. */
    existing: Existing.optional(),
    /** Country or region of the public holidays of a new account, such as "DE-BY". */
    holidayRegion: HolidayRegion.nullable().optional(),
    users: list(User),
    workspaces: list(Workspace),
    noteFolders: list(NoteFolder),
    personalNotes: list(PersonalNote),
    restKeys: list(RestKey),
    connections: list(Connection),
  })
  .refine(({ name, existing }) => (name === undefined) !== (existing === undefined), {
    path: ['name'],
    error: 'give either name, for a new account, or existing',
  });

export const ImportFile = z.strictObject({ accounts: z.array(Account, { error: 'give a list of accounts' }) });
export type ImportInput = z.input<typeof ImportFile>;
export type ImportFile = z.infer<typeof ImportFile>;
export type AccountEntry = z.infer<typeof Account>;
export type WorkspaceEntry = z.infer<typeof Workspace>;

export const entrySchemas = {
  items: Item,
  comments: Comment,
  timeEntries: TimeEntry,
  planBlocks: PlanBlock,
  personalNotes: PersonalNote,
} as const satisfies Record<LongList, z.ZodType>;
export type EntryOf<Name extends LongList> = z.infer<(typeof entrySchemas)[Name]>;
export type ItemEntry = EntryOf<'items'>;
export type PersonalNoteEntry = EntryOf<'personalNotes'>;

/** The format as JSON Schema, for editors and for authors of such files (docs/import.md). */
export function importSchema(): object {
  const schema = z.toJSONSchema(ImportFile, { io: 'input', target: 'draft-2020-12', unrepresentable: 'any' });
  return { ...schema, title: 'Stint import file' };
}
