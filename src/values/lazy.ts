/** Creates a value at the first call and keeps it. Later arguments are ignored, so they must be the same. */
export function lazy<Props extends unknown[], Made extends object>(make: (...props: Props) => Made): (...props: Props) => Made {
  let made: Made | undefined;
  return (...props) => (made ??= make(...props));
}

// Frees memory outside V8's heap immediately, because such memory hardly triggers the garbage collector.

/** Makes the array unusable. Only for arrays that own their buffer. */
export function release(array: ArrayBufferView): void {
  const { buffer } = array;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === array.byteLength) buffer.transfer(0);
}
