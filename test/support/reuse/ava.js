/** Ava's code for one file. Evaluated for each file, so not in the same bundle as the tests. */
import './state.js';
import '../../../node_modules/ava/lib/worker/base.js';
