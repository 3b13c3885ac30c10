/** Capacity, what-if, boards and timelines in a browser. */
import '../pages/board.browser.test.ts';
import '../pages/capacity.browser.test.ts';
import '../pages/timeline.browser.test.ts';
