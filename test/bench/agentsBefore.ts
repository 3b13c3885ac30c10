/** Cost of the chores with the tools of ed31d4a, as agents.ts printed it there (22 November 2026). */
import type { Cost } from './agents.ts';

export const before: { tools: number; chores: Record<string, Cost>; answers: Record<string, number> } = {
  tools: 3275,
  chores: {
    'where I stand': { calls: 1, written: 10, read: 1298 },
    'what is still open in a release': { calls: 9, written: 196, read: 3100 },
    'how far it is': { calls: 5, written: 113, read: 1843 },
    'what is blocked, and why': { calls: 2, written: 36, read: 352 },
    'where a ticket of the provider is mentioned': { calls: 11, written: 170, read: 3524 },
    'whether five of its tasks are done by now': { calls: 5, written: 65, read: 1087 },
    'a requirement with four tasks, planned and told': { calls: 3, written: 285, read: 435 },
    'the same tasks a week later': { calls: 9, written: 294, read: 1759 },
    'a task is done, with a note that says so': { calls: 4, written: 144, read: 580 },
    'my next block a day later': { calls: 3, written: 158, read: 582 },
    'a line more in the note of Monday': { calls: 3, written: 120, read: 124 },
    'three quarters of an hour, logged and counted': { calls: 2, written: 87, read: 171 },
  },
  answers: {
    svc_context: 1298,
    svc_find_work: 2216,
    svc_get_item: 254,
    svc_create_items: 25,
    svc_update_item: 177,
    svc_add_note: 41,
    svc_time: 147,
    svc_plan_block: 134,
    svc_my_time: 259,
    svc_remove_item: 14,
    svc_personal_notes_create: 9,
    svc_personal_notes_list: 138,
    svc_personal_notes_get: 31,
    svc_personal_notes_update: 9,
  },
};
