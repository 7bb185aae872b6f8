import yauzl from 'yauzl';
import { ConversionError } from '../../converted.ts';
import { isEncryptedOffice } from '../../ole.ts';

/** What an archive may hold, in bytes where it is a size. */
export interface ZipLimits {
  entries: number;
  /** All entries together, by their declared sizes and again by what is really inflated. */
  totalBytes: number;
  /** One XML part. */
  partBytes: number;
  /** All parts that are read, together. */
  readBytes: number;
}

/** The reader above needs some 20 bytes of memory for a byte of XML; the child process that converts has 768 MB. */
export const ZIP_LIMITS: ZipLimits = {
  entries: 2_000,
  totalBytes: 200_000_000,
  partBytes: 20_000_000,
  readBytes: 40_000_000,
};

/** An archive that passed the guard. Nothing is inflated until it is asked for. */
export interface GuardedZip {
  /** Normalised names: forward slashes, no leading slash; entries that point outside the archive are not there. */
  names: ReadonlySet<string>;
  /** The inflated bytes of an entry, or undefined if there is none of that name. */
  read(name: string): Promise<Buffer | undefined>;
}

const RESAVE = 'Open it in Word (or LibreOffice), save it again as .docx, and upload that.';

function corrupt(cause: unknown): ConversionError {
  return new ConversionError(
    'corrupt_file',
    `The file is damaged: it cannot be unpacked as a .docx archive. ${RESAVE}`,
    { cause },
  );
}

function tooBig(what: string): ConversionError {
  return new ConversionError(
    'zip_bomb',
    `The file was refused because ${what}, which no ordinary document does. ` +
      'If it is a genuine document, split it or remove embedded data, and save it again as .docx.',
  );
}

function encrypted(): ConversionError {
  return new ConversionError(
    'encrypted_file',
    'The file is protected by a password. Remove the password in Word (File > Info > Protect Document), ' +
      'save it as .docx, and upload that.',
  );
}

/** A safe, comparable form of an entry's name; undefined for folders and for names that climb out of the archive. */
function normaliseName(raw: Buffer): string | undefined {
  const name = raw.toString('utf8').replace(/\\/g, '/').replace(/^\/+/, '');
  return name === '' || name.endsWith('/') || name.split('/').includes('..') ? undefined : name;
}

function isMarkup(name: string): boolean {
  return /\.(xml|rels)$/i.test(name);
}

const END_OF_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1');

/**
 * Some programs write a wrong length for the archive's comment, which Word does not mind: without a comment, and
 * without what follows the directory, such an archive is sound.
 */
function withoutComment(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(END_OF_DIRECTORY);
  if (end === -1 || end + 22 > bytes.length) return bytes;
  const repaired = Buffer.from(bytes.subarray(0, end + 22));
  repaired.writeUInt16LE(0, 20);
  return repaired;
}

function open(buffer: Buffer): Promise<yauzl.ZipFile> {
  // Names stay raw bytes: a strange name then cannot make the whole archive unreadable. Sizes are counted here.
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(buffer, options, (error, zip) => (zip === undefined ? reject(error) : resolve(zip)));
  });
}

function listEntries(zip: yauzl.ZipFile, limits: ZipLimits): Promise<Map<string, yauzl.Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, yauzl.Entry>();
    let seen = 0;
    let declared = 0;
    zip.on('error', (error) => reject(corrupt(error)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: yauzl.Entry) => {
      seen += 1;
      declared += entry.uncompressedSize;
      if (seen > limits.entries) return reject(tooBig(`it holds more than ${limits.entries} parts`));
      if (declared > limits.totalBytes)
        return reject(tooBig(`it unpacks to over ${megabytes(limits.totalBytes)}`));
      if (entry.isEncrypted()) return reject(encrypted());
      const name = normaliseName(entry.fileNameRaw);
      if (name !== undefined) {
        if (isMarkup(name) && entry.uncompressedSize > limits.partBytes) {
          return reject(tooBig(`one of its parts unpacks to over ${megabytes(limits.partBytes)}`));
        }
        // Of two entries with one name the first counts, always: no reader can be shown another one.
        if (!entries.has(name)) entries.set(name, entry);
      }
      zip.readEntry();
    });
    zip.readEntry();
  });
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}

function inflate(zip: yauzl.ZipFile, entry: yauzl.Entry, limit: number, message: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(corrupt(error));
      const pieces: Buffer[] = [];
      let size = 0;
      stream.on('data', (piece: Buffer) => {
        size += piece.length;
        pieces.push(piece);
        if (size > limit) {
          reject(tooBig(message));
          stream.destroy();
        }
      });
      stream.on('error', (cause) => reject(corrupt(cause)));
      stream.on('end', () => resolve(Buffer.concat(pieces)));
    });
  });
}

/**
 * Opens an archive of unknown origin. Declared sizes are checked at once, real sizes while inflating; only what is read
 * is ever inflated.
 *
 * @throws ConversionError `corrupt_file`, `zip_bomb` or `encrypted_file`
 */
export async function openZip(bytes: Uint8Array, limits: ZipLimits = ZIP_LIMITS): Promise<GuardedZip> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isEncryptedOffice(buffer)) throw encrypted();
  let zip: yauzl.ZipFile;
  try {
    zip = await open(buffer).catch(() => open(withoutComment(buffer)));
  } catch (error) {
    throw corrupt(error);
  }
  if (zip.entryCount > limits.entries) throw tooBig(`it holds more than ${limits.entries} parts`);
  const entries = await listEntries(zip, limits);
  let inflated = 0;
  return {
    names: new Set(entries.keys()),
    async read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      const left = limits.readBytes - inflated;
      const limit = Math.min(limits.partBytes, left);
      const over = left < limits.partBytes ? limits.readBytes : limits.partBytes;
      const data = await inflate(zip, entry, limit, `its text unpacks to over ${megabytes(over)}`);
      inflated += data.length;
      return data;
    },
  };
}
