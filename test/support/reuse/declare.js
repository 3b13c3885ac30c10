/** What tests of a whole run import as `ava`: declares tests and hooks for the file that is being loaded. */
function chain() {
  const { flags, refs } = globalThis.avaOfFile;
  flags.loadedMain = true;
  return refs.runnerChain;
}

export default new Proxy(() => {}, {
  apply: (_target, _this, given) => chain()(...given),
  get: (_target, name) => chain()[name],
});

export const registerCompletionHandler = (end) => globalThis.avaOfFile.ends.push(end);
