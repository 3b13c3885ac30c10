/** The largest values by name, for properties of the APIs and fields of forms: ids that exist, days, texts, and lists of many. */
import { randomUUID } from 'node:crypto';
import { fieldNames, fields } from '../../../src/items/fields.ts';
import { addDays } from '../../../src/values/dates.ts';
import { hostileTexts } from '../costly.ts';
import { longText } from './largest.ts';
import type { IdName, Ids } from './place.ts';

type Values = Record<string, unknown>;

const today = new Date().toISOString().slice(0, 10);
const tomorrow = addDays(today, 1);

/** The n-th of these ids, from the start again after the last. */
export function idOf(ids: Ids, name: string, n: number): string {
  const all = ids[name];
  if (!all) throw new Error(`Nothing is known by the name ${name}: add it to place.ts.`);
  return String(all[n % all.length] ?? 1);
}

/** So many different ids, or all. */
export const idsOf = (ids: Ids, name: IdName, count: number) => [...new Set(Array.from({ length: count }, (_, n) => idOf(ids, name, n)))];

/** Values that the APIs and forms know by the same name. */
function shared(ids: Ids, n: number): Values {
  const id = (name: IdName) => Number(idOf(ids, name, n));
  return {
    ...{ workspaceId: id('workspaceId'), requestId: randomUUID(), title: `${n} ${longText(290)}`, status: 'planned', type: 'task' },
    ...{ description: hostileTexts[0]!.repeat(5).slice(0, 49_999), acceptance: longText(49_999) },
    ...{ html: `<p>${n}</p>${'<a href="http://a.b">x</a>'.repeat(4_900)}`, folderId: id('folderId') },
    ...{ date: today, from: addDays(today, -360), to: today, day: today, reachPeriod: '2026-Q3' },
    ...{ startLocal: `${tomorrow}T09:00`, endLocal: `${tomorrow}T09:30`, timezone: 'Europe/Berlin', minutes: 1, remindMinutes: 5 },
    ...{
      note: longText(2_000),
      reason: longText(500),
      assigneeId: id('me'),
      ownerId: id('me'),
      itemId: id('task'),
      version: id('version'),
    },
    ...{ blockId: id('blockId'), entryId: id('entryId'), revision: 1, priorityKey: 'k1', mergeInto: null },
  };
}

/** For schemas. Null leaves a property out; undefined leaves it to the schema. */
export function named(ids: Ids, n: number, own: Values): (name: string) => unknown {
  const links = fieldNames.filter((name) => 'to' in fields[name] || fields[name].sql === 'date');
  const all: Values = {
    ...Object.fromEntries(links.map((name) => [name, null])),
    ...{
      status: 'planned',
      statusKey: null,
      assigneeName: null,
      blockedReason: null,
      limit: null,
      after: null,
      afterId: null,
      before: null,
    },
    ...shared(ids, n),
    ...own,
  };
  return (name) => (Object.hasOwn(all, name) ? all[name] : undefined);
}

const MANY = 500;

/** Every field of any form. Each form reads its own. */
export function formValues(ids: Ids, n: number): Values {
  const id = (name: IdName) => idOf(ids, name, n);
  const texts = fieldNames.filter((name) => fields[name].sql === 'text');
  const addresses = Array.from({ length: 50 }, (_, at) => `p${n}-${at}@x.example`).join('\n');
  return {
    ...Object.fromEntries(texts.map((name) => [name, longText(200)])),
    ...shared(ids, n),
    ...{ _sure: 'yes', name: `${n} ${longText(70)}`, body: `${n} ${hostileTexts[n % hostileTexts.length]!.slice(0, 11_900)}` },
    ...{
      ids: idsOf(ids, 'task', MANY),
      lines: longText(20_000),
      cipher: 'A'.repeat(100_000),
      query: 'status=all&search=a',
      url: 'https://x.example/',
    },
    ...{ userId: id('userId'), keyId: id('keyId'), connectionId: id('connectionId'), viewId: id('viewId'), templateId: id('templateId') },
    ...{
      sessionId: id('sessionId'),
      notificationId: id('notificationId'),
      commentId: id('commentId'),
      fileId: id('fileId'),
      absenceId: id('absenceId'),
    },
    ...{ label: id('label'), labels: idsOf(ids, 'labelName', 20).join(', '), key: id('statusKey'), people: idsOf(ids, 'userId', MANY) },
    ...{ rule: `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=${Array.from({ length: 110 }, (_, at) => at + 1).join(',')}` },
    ...{ email: `a${n}@${'b'.repeat(60)}.example`, addresses, words: longText(200), text: longText(5_000), work: id('task'), kind: 'item' },
    ...{ theme: 'dark', grants: ['workspaces:read', 'tasks:write'], workspaces: id('workspaceId'), role: 'member', accountRole: 'member' },
    ...{
      plainLanguage: 'no',
      weeklyHours: '40',
      days: ['1', '2'],
      decision: 'approved',
      reaction: 'thumbs_up',
      mode: 'day',
      startsOn: tomorrow,
    },
    ...{ value: 'high', view: 'list', day: today, start: today, until: addDays(today, 400), show: 'all', color: 'grey', format: 'stint' },
    ...{ dependencies: idsOf(ids, 'task', 50).join(', '), marks: '', what: 'time', on: 'yes', watching: 'yes' },
  };
}
