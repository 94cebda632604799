// SPDX-License-Identifier: MIT
// The playground's service worker: keeps the page's files, so that it works without a network. At the first visit it fetches
// the page itself; once the page has run a program, also what the reader has not used yet.
// build.mjs fills in VERSION, which changes with any file, and the files' names; files of older versions are deleted.
const name = 'playground-VERSION', page = ['PAGE'], others = ['OTHERS'];

self.addEventListener('install', event => event.waitUntil((async () => {
    await (await caches.open(name)).addAll(page.map(file => new Request(file, { cache: 'no-cache' })));
    await self.skipWaiting();
})()));
self.addEventListener('activate', event => event.waitUntil((async () => {
    for (const key of await caches.keys())
        if (key.startsWith('playground-') && key !== name) await caches.delete(key);
    await self.clients.claim();
})()));
self.addEventListener('message', event => event.waitUntil((async () => {
    const cache = await caches.open(name);
    for (const file of others) if (!await cache.match(file)) await cache.add(file).catch(() => {});
})()));
self.addEventListener('fetch', event => {
    if (event.request.method !== 'GET' || !event.request.url.startsWith(self.registration.scope)) return;
    event.respondWith((async () => {
        const cache = await caches.open(name), kept = await cache.match(event.request, { ignoreSearch: true });
        if (kept) return kept;
        const response = await fetch(event.request);
        if (response.ok) event.waitUntil(cache.put(event.request, response.clone()).catch(() => {}));
        return response;
    })());
});
