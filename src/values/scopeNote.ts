/** What a forecast counts that only includes what its reader may oversee (behaviour §6.3), for REST and agents. */
const ELSEWHERE = 'Work, time and plans elsewhere are not counted. Pages count them, so their dates may differ.';

export const scopeNote = { all: `Counts all workspaces that you oversee. ${ELSEWHERE}`, one: `Counts this workspace only. ${ELSEWHERE}` };
