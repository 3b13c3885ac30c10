/** Size of pages on the wire, and what compression must not reveal. */
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let ana: Visitor;
let cookie: string;
test.before('a list of fifty', async () => {
  work = await workWorld(database.url, {
    items: Array.from({ length: 60 }, (_, n) => ({
      type: 'task' as const,
      title: `Task ${n} with a title of the usual length ${(n * 7919) % 1000}`,
      fields: {
        assigneeId: { ref: n % 2 ? 'mia' : 'max' },
        dueDate: `2031-01-${String(1 + (n % 28)).padStart(2, '0')}`,
        estimatedHours: 1 + n,
      },
    })),
  });
  ana = await signedIn(work.web.baseUrl, emailOf('ana'));
  cookie = ana.cookie;
});
test.after('stop', () => work?.stop());

interface Received {
  headers: Record<string, unknown>;
  bytes: Buffer;
}

/** fetch would decompress. */
const get = (headers: Record<string, string>): Promise<Received> =>
  new Promise((resolve, reject) => {
    request(work.at, { headers: { Cookie: `JSESSIONID=${cookie}`, ...headers } }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () => resolve({ headers: answer.headers, bytes: Buffer.concat(pieces) }));
    })
      .on('error', reject)
      .end();
  });

test('a list of fifty rows takes at most 40 KB, in both encodings, and is the same page', async (t) => {
  const plain = await get({});
  t.is(plain.headers['content-encoding'], undefined);
  t.is(plain.bytes.toString().match(/class="row" data-item/g)?.length, 50);
  for (const [encoding, unpack] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, bytes } = await get({ 'Accept-Encoding': encoding });
    t.is(headers['content-encoding'], encoding);
    t.true(bytes.length <= 40 * 1024, `${encoding}: ${bytes.length} bytes`);
    t.log(encoding, bytes.length, 'of', plain.bytes.length);
    t.is(
      unpack(bytes)
        .toString()
        .match(/class="row" data-item/g)?.length,
      50,
    );
    t.regex(String(headers.vary), /Accept-Encoding.*Sec-Fetch-Site/);
  }
});

test('an answer that another site asked for is not compressed', async (t) => {
  for (const site of ['cross-site', 'same-site'])
    t.is((await get({ 'Accept-Encoding': 'br', 'Sec-Fetch-Site': site })).headers['content-encoding'], undefined, site);
  t.is((await get({ 'Accept-Encoding': 'br', 'Sec-Fetch-Site': 'same-origin' })).headers['content-encoding'], 'br');
});

test('the CSRF value differs in each answer, each works, and a changed one does not', async (t) => {
  const values = [];
  for (let n = 0; n < 3; n++) {
    await ana.go('/profile');
    values.push(ana.form('/theme').fields.get('_csrf')!);
  }
  t.is(new Set(values).size, 3);
  for (const value of values) t.not((await ana.post('/theme', new URLSearchParams({ _csrf: value, theme: 'dark' }))).status, 403);
  const [one] = values;
  const other = one!.startsWith('A') ? `B${one!.slice(1)}` : `A${one!.slice(1)}`;
  for (const wrong of [other, one!.slice(43), one!.slice(0, 43), ''])
    t.is((await ana.post('/theme', new URLSearchParams({ _csrf: wrong, theme: 'dark' }))).status, 403, wrong);
});
