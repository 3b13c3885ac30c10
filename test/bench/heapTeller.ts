import { tellOfHeap } from './heap.ts';

tellOfHeap();
