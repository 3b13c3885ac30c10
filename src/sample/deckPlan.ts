/** The sample's file: a ferry's deck with its lanes, drawn as a PNG of 640 × 240 pixels. Pure. */
import { crc32, deflateSync } from 'node:zlib';

const [WIDTH, HEIGHT] = [640, 240] as const;
/** Red, green and blue by index. */
const colors = [255, 255, 255, 226, 232, 234, 90, 107, 112, 14, 116, 122, 255, 255, 255];
const [WATER, DECK, EDGE, TAKEN, FREE] = [0, 1, 2, 3, 4] as const;
const LANES = 4;
const [PLACE_WIDTH, PLACE_HEIGHT] = [46, 30] as const;
/** Vehicles in each lane, from the stern. The others of its places are free. */
const taken = [7, 5, 8, 3];

/** Half the width of the deck, narrower toward the bow. */
const halfWidth = (x: number): number => (x < 30 || x > 615 ? 0 : x < 500 ? 92 : Math.round(92 * Math.sqrt(1 - ((x - 500) / 116) ** 2)));

function colorAt(x: number, y: number): number {
  const fromMiddle = Math.abs(y - HEIGHT / 2);
  const half = halfWidth(x);
  if (half === 0 || fromMiddle > half) return WATER;
  if (fromMiddle > half - 3 || x < 33) return EDGE;
  const [lane, place] = [Math.floor((y - 36) / 42), Math.floor((x - 44) / 54)];
  const isPlace = lane >= 0 && lane < LANES && place >= 0 && place < 8 && (y - 36) % 42 < PLACE_HEIGHT && (x - 44) % 54 < PLACE_WIDTH;
  return isPlace ? (place < (taken[lane] ?? 0) ? TAKEN : FREE) : DECK;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

export function deckPlan(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // 8 bits a pixel, each an index of the palette.
  header.set([8, 3, 0, 0, 0], 8);
  // Each row begins with its filter, none.
  const pixels = Buffer.alloc((WIDTH + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) for (let x = 0; x < WIDTH; x++) pixels[y * (WIDTH + 1) + x + 1] = colorAt(x, y);
  const parts = [
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colors)),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}
