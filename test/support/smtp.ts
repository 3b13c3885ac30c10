/** A minimal SMTP server on a free loopback port: accepts mail, refuses it, or disconnects after the text. */
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';

export type Mood = 'takes' | 'refuses' | 'hangs up after the text';

export interface MailServer {
  url: string;
  mood: Mood;
  /** Its answer when it refuses. */
  refusal: string;
  /** Whole texts, headers included. */
  taken: string[];
  /** As in RCPT TO. */
  recipients: string[];
  /** Number of texts, accepted or not. */
  texts: number;
  /** The first accepted text that matches, waiting for it if needed. */
  mail(matches: (text: string) => boolean): Promise<string>;
}

export async function mailServer(t: Pick<ExecutionContext, 'teardown'>): Promise<MailServer> {
  const arrivals = new EventEmitter();
  const state: MailServer = {
    ...{ url: '', mood: 'takes', refusal: '451 later', taken: [], recipients: [], texts: 0 },
    async mail(matches) {
      for (;;) {
        const found = state.taken.find(matches);
        if (found) return found;
        await once(arrivals, 'taken');
      }
    },
  };
  const server = createServer((socket) => converse(socket, state, arrivals));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  state.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

function converse(socket: Socket, state: MailServer, arrivals: EventEmitter): void {
  let text: string | undefined;
  let rest = '';
  socket.on('error', () => {});
  socket.write('220 test\r\n');
  socket.on('data', (data) => {
    rest += data.toString();
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 2);
      if (text !== undefined && line !== '.') text += `${line}\n`;
      else if (text !== undefined) {
        state.texts++;
        if (state.mood === 'hangs up after the text') return void socket.destroy();
        // Long lines are folded with an equals sign.
        state.taken.push(text.replaceAll('=\n', '').replaceAll('=3D', '='));
        arrivals.emit('taken');
        text = undefined;
        socket.write('250 taken\r\n');
      } else if (line.startsWith('DATA')) {
        text = '';
        socket.write('354 go on\r\n');
      } else if (line.startsWith('RCPT')) {
        state.recipients.push(line.slice('RCPT TO:'.length));
        socket.write(state.mood === 'refuses' ? `${state.refusal}\r\n` : '250 ok\r\n');
      } else if (line.startsWith('STARTTLS')) socket.write('502 no TLS here\r\n');
      else if (line.startsWith('QUIT')) socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    }
  });
}
