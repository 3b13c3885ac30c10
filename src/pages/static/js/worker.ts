// The service worker: static files, and the offline page when a page can't be loaded. No page with data is ever stored.
// The server puts constants before this text (frame/installed.ts).
declare const files: string[];
declare const offline: string;
declare const cacheName: string;

/** The parts of the types of workers that it uses: TypeScript has either those of pages or those of workers. */
interface WorkerEvent extends Event {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}
declare const skipWaiting: () => Promise<void>;
declare const clients: { claim(): Promise<void> };
declare const registration: ServiceWorkerRegistration;
declare function addEventListener(type: string, listen: (event: WorkerEvent) => void): void;

async function install() {
  const cache = await caches.open(cacheName);
  await cache.addAll(files);
  // Without cookies: the page that every visitor gets.
  await cache.put(offline, await fetch(offline, { credentials: 'omit' }));
  await skipWaiting();
}

async function activate() {
  for (const other of await caches.keys()) if (other.startsWith('stint') && other !== cacheName) await caches.delete(other);
  await registration.navigationPreload?.enable();
  await clients.claim();
}

async function open(event: WorkerEvent): Promise<Response> {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(offline)) ?? Response.error();
  }
}

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(activate()));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.respondWith(open(event));
  else if (request.method === 'GET' && files.includes(new URL(request.url).pathname))
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
});
