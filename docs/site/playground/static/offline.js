// SPDX-License-Identifier: MIT
// The playground's service worker: keeps every file that was fetched once, so that the page works without a network.
// build.mjs fills in VERSION, which changes with any file; files of older versions are deleted.
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
