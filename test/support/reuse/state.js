import { completionHandlers, flags, refs } from '../../../node_modules/ava/lib/worker/state.js';

/** `ends`: run after the tests of the file, and awaited. */
globalThis.avaOfFile = { completionHandlers, flags, refs, ends: [] };
