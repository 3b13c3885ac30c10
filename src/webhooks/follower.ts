/** Marks webhooks for new changes in batches, instead of enqueueing a job for each write (behaviour §16.9). */
import type { Follower } from '../changes/follow.ts';
import { markWebhooks } from './deliveryQueries.ts';

export const webhooksFollower: Follower = { name: 'webhooks', see: markWebhooks };
