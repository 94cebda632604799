// SPDX-License-Identifier: MIT
// The playground's service worker: a file that came once is kept, so the page works without a network. VERSION is
// filled in by build.mjs and changes with any file; older versions are forgotten.
const name = 'playground-VERSION';

self.addEventListener('install', event => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', event => event.waitUntil((async () => {
    for (const key of await caches.keys())
        if (key.startsWith('playground-') && key !== name) await caches.delete(key);
    await self.clients.claim();
})()));
self.addEventListener('fetch', event => {
    if (event.request.method !== 'GET' || !event.request.url.startsWith(self.registration.scope)) return;
    event.respondWith((async () => {
        const cache = await caches.open(name), kept = await cache.match(event.request, { ignoreSearch: true });
        if (kept) return kept;
        const response = await fetch(event.request);
        if (response.ok) await cache.put(event.request, response.clone());
        return response;
    })());
});
