/** The capacity answer (behaviour §6.2): the forecast, and what of it depends on who asks (behaviour §6.4). */
import { z } from 'zod';
import { Forecast } from './forecast/schema.ts';

export const Capacity = Forecast.extend({ canManage: z.boolean() }).meta({ id: 'Capacity' });
export type Capacity = z.infer<typeof Capacity>;
