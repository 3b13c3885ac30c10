/** `fetch` with a chosen Host, as for a foreign name that points at us. The real one sends only the address's. */
import { request } from 'node:http';

export async function fetchAs(host: string, url: string, init: RequestInit = {}): Promise<Response> {
  const asked = new Request(url, init);
  const body = Buffer.from(await asked.arrayBuffer());
  return new Promise((resolve, reject) => {
    const headers = { ...Object.fromEntries(asked.headers), host };
    const sending = request(url, { method: asked.method, headers, agent: false }, async (answer) => {
      const pieces = await answer.toArray().catch(() => []);
      const status = answer.statusCode ?? 0;
      const text = [204, 205, 304].includes(status) ? null : Buffer.concat(pieces);
      const given = new Headers();
      for (const [name, values] of Object.entries(answer.headersDistinct)) for (const value of values ?? []) given.append(name, value);
      resolve(new Response(text, { status, headers: given }));
    });
    sending.on('error', reject);
    sending.end(body);
  });
}
