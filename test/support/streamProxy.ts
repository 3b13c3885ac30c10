/** An HTTP proxy like some companies have: it forwards everything except event streams, which it buffers until they end, or cuts. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

export interface StreamProxy {
  /** The application's address, through the proxy. */
  url: string;
  /** Number of requested streams. */
  streams(): number;
  /** From now on buffers every stream until its end. */
  gather(): void;
  pass(): void;
  /** Ends every stream after its first piece. */
  cut(): Promise<void>;
  close(): void;
}

export async function startStreamProxy(baseUrl: string): Promise<StreamProxy> {
  const target = new URL(baseUrl);
  const open = new Set<Promise<() => void>>();
  let [streams, gathers] = [0, false];

  function follow(answer: IncomingMessage, response: ServerResponse): void {
    streams++;
    const first = Promise.withResolvers<() => void>();
    open.add(first.promise);
    const kept: Buffer[] = [];
    const held = gathers;
    if (!held) response.writeHead(answer.statusCode!, answer.headers).flushHeaders();
    answer.on('data', (piece: Buffer) => {
      if (held) kept.push(piece);
      else response.write(piece);
      first.resolve(() => response.destroy());
    });
    answer.on('end', () => {
      if (held) response.writeHead(answer.statusCode!, answer.headers);
      response.end(Buffer.concat(kept));
    });
    answer.on('close', () => open.delete(first.promise));
  }

  const server = createServer((asked, response) => {
    const headers = { ...asked.headers, host: target.host };
    const onward = request({ host: target.hostname, port: target.port, method: asked.method, path: asked.url, headers }, (answer) => {
      answer.on('error', () => {});
      if (answer.headers['content-type']?.startsWith('text/event-stream')) return follow(answer, response);
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('error', () => {});
    response.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://${target.hostname}:${port}${target.pathname}`,
    streams: () => streams,
    gather() {
      gathers = true;
    },
    pass() {
      gathers = false;
    },
    async cut() {
      for (const end of await Promise.all(open)) end();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
