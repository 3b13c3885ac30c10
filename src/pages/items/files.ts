/** Files of items: upload, download, removal (behaviour §35). Texts refer to them as /files/ID. */
import { isImage } from '../../files/fileTypes.ts';
import { bytesOf, getThumbnail, openFile, removeFile, restoreFile, uploadFile } from '../../files/itemFiles.ts';
import { InvalidRequest } from '../../values/errors.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { backTo, orAgain } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { idsOf, inList } from './pageOf.ts';
import { formRefusal } from './show.ts';

const PDF = 'application/pdf';

async function upload(request: PageRequest): Promise<Answer> {
  const { deps, caller, form, ctx } = request;
  const byScript = ctx.get('Accept') === 'application/json';
  const place = idsOf(request);
  const work = async (): Promise<Answer> => {
    const { incoming } = form;
    if (!incoming) throw new InvalidRequest(['file'], 'choose a file.');
    const limits = { quotaBytes: deps.config.filesQuotaBytes, scan: deps.config.fileScan !== null };
    const added = await uploadFile(deps.db, caller, { ...place, ...incoming }, limits);
    if (byScript) return { data: added };
    return { redirect: `/workspaces/${place.workspaceId}/items/${place.id}${inList(request)}#files`, notice: 'fileAdded' };
  };
  const refusal = formRefusal(request);
  return orAgain(
    work,
    byScript ? { again: ({ problem, status }) => ({ data: { error: problem }, status }), labels: refusal.labels } : refusal,
  );
}

const fileIdOf = ({ params }: PageRequest): number => Number(params.fileId);

async function open(request: PageRequest): Promise<Answer> {
  const { deps, caller, query } = request;
  const fileId = fileIdOf(request);
  const file = await call(request, openFile, { fileId });
  const { name, type, size, tag } = file;
  const inline = (isImage(type) || type === PDF) && !query.has('download');
  return { stored: { name, type, size, tag, inline, read: (range) => bytesOf(deps.db, caller, fileId, file, range) } };
}

async function openThumbnail(request: PageRequest): Promise<Answer> {
  const { type, bytes, tag } = await call(request, getThumbnail, { fileId: fileIdOf(request) });
  const read = async function* ({ start, end }: { start: number; end: number }) {
    yield bytes.subarray(start, end + 1);
  };
  return { stored: { name: 'thumbnail', type, size: bytes.length, tag: `${tag}-thumbnail`, inline: true, read } };
}

async function remove(request: PageRequest): Promise<Answer> {
  const { workspaceId, itemId } = await call(request, removeFile, { fileId: fileIdOf(request) });
  const back = backTo(request.form.text('back'), request, `/workspaces/${workspaceId}/items/${itemId}`);
  return { redirect: back, notice: 'removed', undo: undoOf.file(fileIdOf(request)) };
}

async function restore(request: PageRequest): Promise<Answer> {
  const { workspaceId, itemId } = await call(request, restoreFile, { fileId: fileIdOf(request) });
  return { redirect: backTo(request.form.text('back'), request, `/workspaces/${workspaceId}/items/${itemId}`), notice: 'undone' };
}

export const fileRoutes: PageRoute[] = [
  { method: 'POST', path: '/workspaces/:id/items/:itemId/files', uploads: true, handle: upload },
  { method: 'GET', path: '/files/:fileId', bare: true, handle: open },
  { method: 'GET', path: '/files/:fileId/thumbnail', bare: true, handle: openThumbnail },
  { method: 'POST', path: '/files/:fileId/remove', handle: remove },
  { method: 'POST', path: '/files/:fileId/restore', handle: restore },
];
