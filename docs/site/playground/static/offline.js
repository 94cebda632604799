// SPDX-License-Identifier: MIT
// The playground's service worker: keeps the page's files, so that it works without a network. At the first visit it fetches
// the page itself; once the page has run a program, also what the reader has not used yet.
// build.mjs fills in VERSION, which changes with any file, and the files' sizes in bytes; files of older versions are deleted.
const name = 'playground-VERSION', page = {/*PAGE*/}, others = {/*OTHERS*/};

const size_of = url => ({ ...page, ...others })[url.slice(self.registration.scope.length).split(/[?#]/)[0] || './'];
/** Keeps a file if all of it has come. Firefox does not report that a connection ended too early, and `ok` is about the first bytes. */
async function keep(cache, request, response) {
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    const bytes = await response.arrayBuffer(), size = size_of(response.url);
    if (size !== undefined && bytes.byteLength !== size) throw new Error(`${response.url}: ${bytes.byteLength} of ${size} bytes came`);
    await cache.put(request, new Response(bytes, { headers: response.headers }));
}

self.addEventListener('install', event => event.waitUntil((async () => {
    const cache = await caches.open(name);
    await Promise.all(Object.keys(page).map(async file => keep(cache, file, await fetch(file, { cache: 'no-cache' }))));
    await self.skipWaiting();
})()));
self.addEventListener('activate', event => event.waitUntil((async () => {
    for (const key of await caches.keys())
        if (key.startsWith('playground-') && key !== name) await caches.delete(key);
    await self.clients.claim();
})()));
self.addEventListener('message', event => event.waitUntil((async () => {
    const cache = await caches.open(name);
    for (const file of Object.keys(others)) if (!await cache.match(file)) await fetch(file).then(response => keep(cache, file, response)).catch(() => {});
})()));
self.addEventListener('fetch', event => {
    if (event.request.method !== 'GET' || !event.request.url.startsWith(self.registration.scope)) return;
    event.respondWith((async () => {
        const cache = await caches.open(name), kept = await cache.match(event.request, { ignoreSearch: true });
        if (kept) return kept;
        const response = await fetch(event.request);
        event.waitUntil(keep(cache, event.request, response.clone()).catch(() => {}));
        return response;
    })());
});
