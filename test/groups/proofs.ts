/** Rules of the sources and their texts. */
import '../architecture.unit.test.ts';
import '../citations.unit.test.ts';
import '../comments/rewrite/check/check.unit.test.ts';
import '../comments/rewrite/excerpts/passages.unit.test.ts';
import '../comments/rewrite/hostile.unit.test.ts';
import '../comments/rewrite/rewriteText.unit.test.ts';
import '../config.unit.test.ts';
import '../mailer.unit.test.ts';
import '../mailer/letters.unit.test.ts';
import '../regexes.unit.test.ts';
import '../supplyChain.unit.test.ts';
import '../support/failedFiles.unit.test.ts';
import '../support/leftovers.unit.test.ts';
import '../testFiles.unit.test.ts';
import '../texts.unit.test.ts';
import '../webhooks/resolve.unit.test.ts';
