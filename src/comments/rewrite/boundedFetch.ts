/** `fetch` for a server that is not trusted: follows no redirect, so that the key never leaves the origin it was meant for, and
 *  reads no more than `largestAnswer` bytes, so that an endless answer can't fill the memory. */

/** 12,000 characters of JSON-escaped text are far below this. */
const largestAnswer = 1024 * 1024;

/** Counts what arrives after decompression. */
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
