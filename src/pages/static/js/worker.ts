// The service worker: static files, and the offline page when a page can't be loaded. No page with data is ever stored.
// The server puts constants before this text (frame/installed.ts).
declare const files: string[];
declare const offline: string;
declare const cacheName: string;
const worker = self as any;

async function install() {
  const cache = await caches.open(cacheName);
  await cache.addAll(files);
  // Without cookies: the page that every visitor gets.
  await cache.put(offline, await fetch(offline, { credentials: 'omit' }));
  await worker.skipWaiting();
}

async function activate() {
  for (const other of await caches.keys()) if (other.startsWith('stint') && other !== cacheName) await caches.delete(other);
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

async function open(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(offline)) ?? Response.error();
  }
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.respondWith(open(event));
  else if (request.method === 'GET' && files.includes(new URL(request.url).pathname))
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
});
