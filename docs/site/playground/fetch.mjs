// SPDX-License-Identifier: MIT
// The compiler's files are stored compressed on every server: here fetch() unpacks them. Import this before modules
// that fetch (yowasp's Clang keeps the function that it finds).
const fetch_as_it_is = globalThis.fetch;
let tell = () => {};

/** From now on `listener` gets the number of bytes that have come over the network. */
export function count_bytes(listener) { tell = listener; }

globalThis.fetch = async (input, init) => {
    const url = new URL(input.url ?? input, import.meta.url);
    if (!/\.(wasm|tar|o|pch)$|(exercises|programs)\.json$/.test(url.pathname)) return fetch_as_it_is(input, init);
    const response = await fetch_as_it_is(`${url}.gz`, init);
    if (!response.ok) throw new Error(`${url.pathname}.gz: ${response.status} ${response.statusText}`);
    const counted = new TransformStream({ transform(chunk, out) { tell(chunk.length); out.enqueue(chunk); } });
    const bytes = response.body.pipeThrough(counted).pipeThrough(new DecompressionStream('gzip'));
    return new Response(bytes, { headers: { 'content-type': url.pathname.endsWith('json') ? 'application/json' : 'application/wasm' } });
};
