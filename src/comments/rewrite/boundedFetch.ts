/** `fetch` for an untrusted server: no redirects, so the key stays with its origin, and at most `largestAnswer` bytes. */

/** Far above 12,000 characters as escaped JSON. */
const largestAnswer = 1024 * 1024;

/** Counts bytes after decompression. */
function limiter(): TransformStream<Uint8Array, Uint8Array> {
  let read = 0;
  return new TransformStream({
    transform(chunk, controller) {
      read += chunk.byteLength;
      if (read > largestAnswer) controller.error(new Error(`The answer is larger than ${largestAnswer} bytes.`));
      else controller.enqueue(chunk);
    },
  });
}

export async function boundedFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'error' });
  const { status, statusText, headers, body } = response;
  return body ? new Response(body.pipeThrough(limiter()), { status, statusText, headers }) : response;
}
