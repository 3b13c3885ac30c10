/** Guessing passwords and keys. */
import { randomUUID } from 'node:crypto';
import { type Attack, loops } from './attack.ts';
import { callTool, send, signIn } from './requests.ts';

export const byGuesses: Record<string, Attack> = {
  signIns: {
    ...{ title: '200 concurrent sign-ins, repeatedly', seconds: 10 },
    run: (target, signal, tally) =>
      loops(200, signal, (n) => send(target, { ...signIn, body: `email=nobody${n}%40x.example&password=${randomUUID()}` }, tally)),
  },
  rotatedKey: {
    ...{
      title: 'A just rotated agent key, while its successor works',
      seconds: 8,
      againstAgent: true,
    },
    run: (target, signal, tally) =>
      loops(16, signal, () => send(target, callTool({ ...target, agentKey: target.rotatedKey }, 'svc_context', {}), tally)),
  },
  wrongKeys: {
    ...{ title: '16 connections that guess keys', seconds: 8 },
    run: (target, signal, tally) =>
      loops(16, signal, (n) =>
        n % 2
          ? send(target, { method: 'GET', path: '/api/v1/workspaces', headers: { 'X-API-Key': `stint_rest_${randomUUID()}` } }, tally)
          : send(target, callTool({ ...target, agentKey: `stint_agent_${randomUUID()}` }, 'svc_context', {}), tally),
      ),
  },
};
