/** Attacks by request bodies: bombs, floods, and shapes that are expensive to parse. */
import { randomUUID } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Attack, loops } from './attack.ts';
import { callTool, faces, saveItem, send } from './requests.ts';

const MIB = 1024 * 1024;
let compressed: (readonly ['gzip' | 'br', Buffer])[] = [];
const zeros = (mib: number) => Buffer.alloc(mib * MIB, 0x61);
/** 300 MiB as a few hundred KiB. */
const bomb = () => gzipSync(zeros(300), { level: 9 });
const brotliBomb = () => brotliCompressSync(zeros(300), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

/** 100 MiB in pieces, as fast as the server reads them. */
function sendHundredMegabytes(sending: ClientRequest): void {
  const piece = Buffer.alloc(64 * 1024, 0x20);
  let left = 1_600;
  const push = () => {
    while (left-- > 0) if (!sending.write(piece)) return void sending.once('drain', push);
    sending.end();
  };
  sending.on('error', () => {});
  push();
}

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
    ...{ title: '300 MiB as gzip and brotli, to the API, the agents and the sign-in', seconds: 8 },
    prepare: () => {
      compressed = [
        ['gzip', bomb()],
        ['br', brotliBomb()],
      ];
    },
    run: (target, signal, tally) =>
      loops(6, signal, (n) => {
        const [encoding, body] = compressed[n % 2]!;
        const { path, headers } = faces(target)[n % 3]!;
        return send(target, { path, headers: { ...headers, 'Content-Encoding': encoding }, body }, tally);
      }),
  },
  hugeBodies: {
    ...{ title: '100 MiB bodies, with a length and in chunks without one', seconds: 8 },
    run: (target, signal, tally) =>
      loops(6, signal, (n) => {
        const { path, headers } = faces(target)[n % 3]!;
        const length: Record<string, string> = n < 3 ? {} : { 'Content-Length': String(100 * MIB) };
        return send(target, { path, headers: { ...headers, ...length }, feed: sendHundredMegabytes }, tally);
      }),
  },
  uploads: {
    ...{ title: '100 MiB as an attachment to the sign-in', seconds: 8 },
    run: (target, signal, tally) => {
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
      const feed = (sending: ClientRequest) => {
        sending.write('--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\nContent-Type: application/octet-stream\r\n\r\n');
        sendHundredMegabytes(sending);
      };
      return loops(4, signal, () => send(target, { path: '/sign-in', headers, feed }, tally));
    },
  },
  deepJson: {
    ...{ title: 'JSON as deep and with as many values as its size allows', seconds: 8 },
    run: (target, signal, tally) => {
      const shapes = [
        '['.repeat(MIB - 1),
        `[${'[],'.repeat(340_000)}[]]`,
        `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":0`).join()}}`,
        `"${'\\u0061'.repeat(170_000)}"`,
      ];
      return loops(4, signal, (n) => send(target, { ...saveItem(target), body: shapes[n]! }, tally));
    },
  },
  wideArguments: {
    ...{ title: '8 MiB of arguments to a tool: lists, keys, items', seconds: 8 },
    run: (target, signal, tally) => {
      const item = '{"type":"task","title":""}';
      const shapes = [
        callTool(
          target,
          'svc_create_items',
          `{"requestId":"${randomUUID()}","workspaceId":1,"items":[${`${item},`.repeat(300_000)}${item}]}`,
        ),
        callTool(target, 'svc_context', `{${Array.from({ length: 600_000 }, (_, n) => `"k${n}":0`).join()}}`),
        callTool(target, 'svc_context', `{"x":[${'[],'.repeat(2_700_000)}[]]}`),
        callTool(target, 'svc_add_note', { requestId: randomUUID(), id: 1, body: 'a'.repeat(8_000_000) }),
      ];
      return loops(2, signal, async (n) => {
        await send(target, shapes[n]!, tally);
        await send(target, shapes[n + 2]!, tally);
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
};
