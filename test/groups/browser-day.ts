/** My day, time and the daily steps in a browser. */
import '../pages/dailySteps.browser.test.ts';
import '../pages/my.browser.test.ts';
import '../pages/toast.browser.test.ts';
