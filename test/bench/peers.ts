/** `npm run bench -- peers`: the same three calls (read one, list 50, write) of any two running HTTP services, interleaved, so that users
 *  can compare Stint with their current tool. PEERS=peers.json, by the schema below, configures them. Written data is not removed. */
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { z } from 'zod';
import { median, percentile, round } from './measure.ts';

const Call = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('GET'),
  path: z.string().startsWith('/'),
  /** Text, or JSON. `{n}` becomes a unique number. */
  body: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
});
const Peer = z.strictObject({
  name: z.string(),
  /** `http://localhost:3000`. */
  address: z.url({ protocol: /^https?$/ }),
  /** Headers of every call: the credential. */
  headers: z.record(z.string(), z.string()).default({}),
  read: Call,
  list: Call,
  write: Call,
});
const Peers = z.strictObject({
  peers: z.tuple([Peer, Peer]),
  connections: z.int().min(1).max(64).default(8),
  seconds: z.number().min(0.1).default(2),
  rounds: z.int().min(1).default(5),
});
type Peer = z.infer<typeof Peer>;
type Call = z.infer<typeof Call>;

const calls = ['read', 'list', 'write'] as const;

interface Sample {
  perSecond: number;
  p50: number;
  p99: number;
}

export async function peers(): Promise<void> {
  const file = process.env.PEERS;
  if (!file) throw new Error('PEERS: name a file that says which two services to compare (docs/figures.md, "Against peers").');
  const { peers: both, ...how } = Peers.parse(JSON.parse(readFileSync(file, 'utf8')));
  for (const name of calls) {
    const samples: Sample[][] = both.map(() => []);
    // The first round is a warm-up. The services alternate in who starts.
    for (let n = 0; n <= how.rounds; n++) {
      for (const at of n % 2 ? [1, 0] : [0, 1]) {
        const sample = await drive(both[at]!, both[at]![name], how);
        if (n > 0) samples[at]!.push(sample);
      }
    }
    print(name, both, samples);
  }
}

let written = 0;

/** A closed loop on keep-alive connections. Throws at the first answer outside 200–299. */
async function drive(peer: Peer, call: Call, { connections, seconds }: { connections: number; seconds: number }): Promise<Sample> {
  const secure = peer.address.startsWith('https:');
  const agent = new (secure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  const times: number[] = [];
  const loop = async () => {
    while (performance.now() - started < seconds * 1000) {
      const sent = performance.now();
      await once(peer, call, agent);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop)).finally(() => agent.destroy());
  const took = (performance.now() - started) / 1000;
  return { perSecond: times.length / took, p50: median(times), p99: percentile(times, 0.99) };
}

function once({ name, address, headers }: Peer, { method, path, body }: Call, agent: Agent): Promise<void> {
  const text = body === undefined ? '' : (typeof body === 'string' ? body : JSON.stringify(body)).replaceAll('{n}', String(++written));
  const length = text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  const url = new URL(address.replace(/\/$/, '') + path.replaceAll('{n}', String(written)));
  return new Promise((resolve, reject) => {
    const answered = (response: IncomingMessage) => {
      const status = response.statusCode!;
      if (status < 200 || status > 299) reject(new Error(`${name} answered ${status} to ${method} ${path}`));
      response.on('end', resolve).on('error', reject).resume();
    };
    const send = url.protocol === 'https:' ? secureRequest : request;
    send(url, { method, agent, headers: { ...headers, ...length } }, answered)
      .on('error', reject)
      .end(text);
  });
}

function print(name: (typeof calls)[number], both: readonly Peer[], samples: Sample[][]): void {
  const of = (at: number, key: keyof Sample) => median(samples[at]!.map((sample) => sample[key]));
  console.log(`\n${name}: ${both.map((peer) => `${peer[name].method} ${peer[name].path}`).join(' and ')}`);
  console.table(
    Object.fromEntries(
      both.map((peer, at) => [
        peer.name,
        {
          'req/s': Math.round(of(at, 'perSecond')),
          'p50 ms': round(of(at, 'p50')),
          'p99 ms': round(of(at, 'p99')),
          'x first': round(of(at, 'perSecond') / of(0, 'perSecond')),
        },
      ]),
    ),
  );
}
