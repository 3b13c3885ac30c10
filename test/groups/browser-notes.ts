/** Personal notes in a browser. */
import '../pages/editor/noteHtml.browser.test.ts';
import '../pages/myNotes.browser.test.ts';
