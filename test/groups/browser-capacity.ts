/** Capacity, what-if and boards in a browser. */
import '../pages/board.browser.test.ts';
import '../pages/capacity.browser.test.ts';
