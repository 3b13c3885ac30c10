import { reportHeap } from './heap.ts';

reportHeap();
