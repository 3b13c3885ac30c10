/** Limits on reading calendars (behaviour §25.4). */
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { startWeb, type Web } from '../support/world.ts';

const test = suite(import.meta.url);

const LIMIT = 4;
/** More than the limits of two minutes, in case the minute changes. */
const TRIES = 3 * LIMIT;

const database = fileDatabase();
let read: (address: string, token: string) => Promise<number>;
let web: Web;
test.before('a web process behind a router', async () => {
  web = await startWeb(database.url, { RATE_LIMIT_PAGES: String(LIMIT), TRUST_PROXY: '1' });
  read = async (address, token) =>
    (await fetch(`${web.baseUrl}/calendar/${token}.ics`, { headers: { 'X-Forwarded-For': address } })).status;
});
test.after('stop', () => web?.stop());

async function statuses(one: (n: number) => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < TRIES; n++) found.push(await one(n));
  return found;
}

test('calendar requests from one IPv6 /64 share a limit, and the next /64 has its own', async (t) => {
  t.true((await statuses((n) => read(`2001:db8:1:2:${n}::${n}`, `guess${n}`))).includes(429));
  t.is(await read('2001:db8:1:3::1', 'another'), 403);
});

test('each calendar address has one limit for all readers', async (t) => {
  t.true((await statuses((n) => read(`198.51.100.${n}`, 'same'))).includes(429));
  t.is(await read('203.0.113.1', 'another'), 403);
});
