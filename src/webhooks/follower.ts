/** What wakes the webhooks: they are marked once for whatever was changed, and not by a job for each write (behaviour §16.9). */
import type { Follower } from '../changes/follow.ts';
import { markWebhooks } from './deliveryQueries.ts';

export const webhooksFollower: Follower = { name: 'webhooks', see: markWebhooks };
