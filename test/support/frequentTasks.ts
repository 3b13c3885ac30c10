/** The ten most frequent tasks (behaviour §22.11), in this order, on one page after one sign-in. */
import type { Page } from 'playwright-core';

const tasks = ['see', 'timer', 'find', 'values', 'comment', 'done', 'create', 'time', 'decide', 'agent'] as const;

export async function doFrequentTasks(page: Page, ways: Record<(typeof tasks)[number], () => Promise<void>>): Promise<void> {
  for (const task of tasks) {
    try {
      await ways[task]();
    } catch (error) {
      throw new Error(`${page.url()}: the task "${task}" failed`, { cause: error });
    }
  }
}
