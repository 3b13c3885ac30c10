/** Parses multipart forms with limits of everything in them. Other parsers take seconds for one hostile header of a part. */
import type { IncomingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyConfig, type BusboyInstance } from '@fastify/busboy';
import { InvalidRequest } from '../values/errors.ts';
import { letOthersRun } from '../values/pieces.ts';

const MOST_HEADER_BYTES = 4 * 1024;
const PIECE_BYTES = 32 * 1024;

export const unreadable = () => new InvalidRequest([], 'The form could not be read. Send it again.');
export const compressed = () => new InvalidRequest([], 'The form is compressed. Send it without Content-Encoding.');

interface Limits {
  fields: number;
  /** Of one field. */
  fieldSize: number;
  files: number;
  /** Of one file. */
  fileSize?: number;
}

/** Throws InvalidRequest if the headers are not those of a multipart form. */
export function multipartParser(headers: IncomingHttpHeaders, limits: Limits): BusboyInstance {
  if (headers['content-encoding']) throw compressed();
  const { 'content-type': type = '' } = headers;
  if (!/^multipart\/form-data;/i.test(type)) throw unreadable();
  const all: BusboyConfig['limits'] = { ...limits, parts: limits.fields + limits.files, headerSize: MOST_HEADER_BYTES };
  try {
    return new Busboy({ headers: { ...headers, 'content-type': type }, limits: all });
  } catch {
    throw unreadable();
  }
}

/** Calls `fail` if the form has too many fields or files. */
export function onTooManyParts(parser: BusboyInstance, fail: () => void): void {
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, fail);
}

/** Browsers encode quotes and line breaks in names of files. */
export const fileNameIn = (name: string): string => name.replace(/%(22|0D|0A)/gi, (code) => decodeURIComponent(code));

export interface FormFile {
  name: string;
  content: Buffer;
}

interface WholeForm {
  fields: [name: string, value: string][];
  /** Null if none was chosen: browsers then send an empty file without a name. */
  file: FormFile | null;
}

interface WholeLimits {
  fields: number;
  /** Of all fields together. */
  textBytes: number;
  fileBytes: number;
  tooManyFields: () => Error;
  tooLarge: () => Error;
}

/** Parses a form with at most one file in pieces, between which other requests run (behaviour §13.15). */
export async function parseMultipart(bytes: Buffer, headers: IncomingHttpHeaders, limits: WholeLimits): Promise<WholeForm> {
  const { fields: most, textBytes, fileBytes, tooManyFields, tooLarge } = limits;
  const parser = multipartParser(headers, { fields: most, fieldSize: textBytes, files: 1, fileSize: fileBytes });
  const fail = (error: Error) => void parser.destroy(error);
  const fields: [string, string][] = [];
  let [text, name]: [number, string] = [0, ''];
  const content: Buffer[] = [];
  parser.on('field', (field, value, nameTruncated, valueTruncated) => {
    text += value.length;
    if (nameTruncated || valueTruncated || text > textBytes) return fail(tooLarge());
    // Without a name if its header is cut.
    if (typeof field === 'string') fields.push([field, value]);
  });
  parser.on('file', (_field, file, filename) => {
    name = fileNameIn(filename ?? '');
    file.on('data', (piece: Buffer) => content.push(piece));
    file.on('limit', () => fail(tooLarge()));
    // The parser fails, too. Without a listener the process would end.
    file.on('error', () => {});
  });
  onTooManyParts(parser, () => fail(tooManyFields()));
  try {
    await pipeline(piecesOf(bytes), parser);
  } catch (error) {
    throw error instanceof InvalidRequest ? error : unreadable();
  }
  // A copy: the form itself is released.
  return { fields, file: name === '' ? null : { name, content: Buffer.concat(content) } };
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (at > 0) await letOthersRun();
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}
