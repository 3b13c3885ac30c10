import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The next request of this method to a server in this process: when its body has been read, and when its connection is closed. */
export function nextRequest(method = 'POST'): Promise<Record<'read' | 'closed', Promise<unknown>>> {
  const channel = 'http.server.request.start';
  return new Promise((resolve) => {
    const take = (message: unknown) => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
      if (request.method !== method) return;
      unsubscribe(channel, take);
      resolve({ read: once(request, 'end'), closed: once(response, 'close') });
    };
    subscribe(channel, take);
  });
}
