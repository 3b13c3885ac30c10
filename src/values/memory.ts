/** Memory outside V8's heap, given back at once and not when the collector comes by: what lies there hardly makes it come sooner. */

/** Makes the array unusable. For arrays that nothing else shares its memory with. */
export function release(array: ArrayBufferView): void {
  const { buffer } = array;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === array.byteLength) buffer.transfer(0);
}
