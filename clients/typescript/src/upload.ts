import type { Sender, Transport } from './send.ts';
import type { Schema } from './types.ts';

/** What is used of the browser's; elsewhere there is none. */
declare const XMLHttpRequest: {
  new (): {
    status: number;
    responseText: string;
    upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
    onload: (() => void) | null;
    onerror: (() => void) | null;
    onabort: (() => void) | null;
    onloadend: (() => void) | null;
    open(method: string, url: string): void;
    setRequestHeader(name: string, value: string): void;
    getResponseHeader(name: string): string | null;
    send(body: unknown): void;
    abort(): void;
  };
};

export interface UploadFile {
  name: string;
  content: Blob | Uint8Array<ArrayBuffer> | string;
}

export interface UploadOptions {
  /** Told how many bytes of how many were handed to the network, the frame of the form included. */
  onProgress?: (sent: number, total: number) => void;
  /** Seconds to wait for the files to be searchable; 0: the answer comes as soon as they are stored. Default: the service's. */
  wait?: number;
  /** Further fields of the form, as `on_duplicate`. */
  fields?: Record<string, string>;
  signal?: AbortSignal;
}

/** The body of a form, counted as it is read. */
function counted(
  body: Blob,
  onProgress: NonNullable<UploadOptions['onProgress']>,
): ReadableStream<Uint8Array> {
  let sent = 0;
  return body.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        sent += chunk.byteLength;
        onProgress(sent, body.size);
        controller.enqueue(chunk);
      },
    }),
  );
}

/** Browsers tell by this alone how far an upload is. */
const byXhr =
  (onProgress: NonNullable<UploadOptions['onProgress']>): Transport =>
  (url, { method = 'POST', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      for (const [name, value] of Object.entries(headers as Record<string, string>))
        request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
      request.onerror = () => reject(new TypeError('the connection broke'));
      request.onabort = () => reject(signal?.reason ?? new TypeError('the upload was broken off'));
      request.onload = () => {
        const after = request.getResponseHeader('retry-after');
        resolve(
          new Response(request.responseText, {
            status: request.status,
            headers: after === null ? {} : { 'retry-after': after },
          }),
        );
      };
      const abort = () => request.abort();
      signal?.addEventListener('abort', abort);
      request.onloadend = () => signal?.removeEventListener('abort', abort);
      request.send(body);
    });

/** What an upload is answered with: the file, or the list of them where there are several. */
export type Uploaded<Files extends readonly UploadFile[]> = Files extends readonly [UploadFile]
  ? Schema<'StoredFile'>
  : Schema<'StoredFile'> | Schema<'UploadList'>;

/**
 * Uploads files of a project, or of the library, in one request.
 *
 * @throws ForgeError what is refused: nothing of the request is stored then
 */
export async function uploadFiles<const Files extends readonly UploadFile[]>(
  sender: Sender,
  path: string,
  files: Files,
  { onProgress, wait, fields = {}, signal }: UploadOptions,
): Promise<Uploaded<Files>> {
  const form = new FormData();
  // they are read before the files
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, content } of files) {
    form.append('file', content instanceof Blob ? content : new Blob([content]), name);
  }
  // encoded once: how long it is is known, and each attempt sends the same
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  const body = await encoded.blob();
  const prefer = wait === undefined ? undefined : wait === 0 ? 'respond-async' : `wait=${wait}`;
  const isBrowser = typeof XMLHttpRequest !== 'undefined';
  const response = await sender.send({
    method: 'POST',
    path,
    headers: { 'content-type': type, ...(prefer !== undefined && { prefer }) },
    body: () => (onProgress && !isBrowser ? counted(body, onProgress) : body),
    isRepeatable: true,
    signal,
    transport: onProgress && isBrowser ? byXhr(onProgress) : undefined,
  });
  return response.json() as Promise<Uploaded<Files>>;
}
