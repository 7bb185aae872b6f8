import { ConversionError } from '../../converted.ts';
import { child, elements } from './dom.ts';
import { parseXml, type XmlElement, XmlError } from './xml.ts';
import { type GuardedZip, openZip } from './zip-guard.ts';

/** What a relationship id of a part stands for. */
interface Relationship {
  /** Last segment of the relationship's type: `hyperlink`, `image`, `chart`, ... */
  type: string;
  /** An address, or for an internal one the name of a part. */
  target: string;
  external: boolean;
}

/** One XML part with what its ids point to. */
export interface DocxPart {
  root: XmlElement;
  relationships: ReadonlyMap<string, Relationship>;
}

/** The parts of a Word document, parsed when asked for. */
export interface DocxPackage {
  main: DocxPart;
  /** The first part that the main part relates to in that way (`styles`, `footnotes`, ...). */
  related(type: string): Promise<DocxPart | undefined>;
  /** All of them: a document has several headers. */
  allRelated(type: string): Promise<DocxPart[]>;
  part(name: string): Promise<DocxPart | undefined>;
}

/**
 * Elements that carry neither text nor structure: layout, spelling marks, revision bookkeeping. Leaving them out of the tree
 * makes it several times smaller.
 */
const IGNORED = new Set(
  (
    'szCs bCs iCs color lang kern spacing tcBorders tblBorders tcW shd tcMar tblCellMar widowControl jc tabs pBdr rsids ' +
    'adjustRightInd autoSpaceDE autoSpaceDN snapToGrid trHeight hideMark noWrap suppressAutoHyphens overflowPunct ' +
    'textAlignment contextualSpacing keepNext keepLines tblW tblLayout tblInd proofErr lastRenderedPageBreak ' +
    'sectPrChange pPrChange rPrChange tblPrChange tcPrChange trPrChange tblGridChange numberingChange bdr effect ' +
    'latentStyles textDirection fitText tblPrEx cnfStyle noProof webHidden'
  )
    .split(' ')
    .map((name) => `w:${name}`)
    .concat(
      'a:extLst',
      'wp:effectExtent',
      'a:spPr',
      'pic:spPr',
      'wps:style',
      'wps:spPr',
      'o:lock',
      'v:stroke',
      'v:shadow',
    ),
);

function notWord(): ConversionError {
  return new ConversionError(
    'wrong_content',
    'The file is a zip archive but not a Word document: its main part (word/document.xml) is missing. ' +
      'Open it in the program that made it and export it as .docx.',
  );
}

function badXml(part: string, cause: unknown): ConversionError {
  const why = cause instanceof XmlError ? ` ${cause.message}` : '';
  return new ConversionError(
    'corrupt_file',
    `The file is damaged: its part ${part} cannot be read.${why} Open it in Word, save it again as .docx, and upload that.`,
    { cause },
  );
}

/** The bytes of an XML part as text: the byte order mark or the declaration names the encoding, which is mostly UTF-8. */
function decodeXml(bytes: Buffer): string {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return new TextDecoder('utf-16le').decode(bytes);
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return new TextDecoder('utf-16be').decode(bytes);
  const declared = /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.-]{1,30})["']/.exec(
    bytes.toString('latin1', 0, 250),
  )?.[1];
  try {
    return new TextDecoder(declared ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder('utf-8').decode(bytes);
  }
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

/** A target as the name of a part: relative to the folder of the part that names it, or absolute. */
function resolve(folder: string, target: string): string {
  const path: string[] = [];
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') path.pop();
    else if (step !== '' && step !== '.') path.push(step);
  }
  return path.join('/');
}

async function readXml(zip: GuardedZip, name: string): Promise<XmlElement | undefined> {
  const bytes = await zip.read(name);
  if (bytes === undefined) return undefined;
  try {
    return parseXml(decodeXml(bytes), IGNORED);
  } catch (error) {
    throw badXml(name, error);
  }
}

async function readRelationships(zip: GuardedZip, name: string): Promise<Map<string, Relationship>> {
  const folder = folderOf(name);
  const root = await readXml(zip, `${folder}_rels/${name.slice(folder.length)}.rels`);
  const found = new Map<string, Relationship>();
  for (const entry of elements(root)) {
    const id = entry.attributes.get('Id');
    const target = entry.attributes.get('Target');
    if (id === undefined || target === undefined) continue;
    const external = entry.attributes.get('TargetMode') === 'External';
    const type = (entry.attributes.get('Type') ?? '').split('/').at(-1) ?? '';
    found.set(id, {
      type,
      external,
      target: external || type === 'hyperlink' ? target : resolve(folder, target),
    });
  }
  return found;
}

/** The main part is what the package's relationships say; else what the content types say; else the usual name. */
async function findMain(zip: GuardedZip): Promise<string> {
  const candidates: string[] = [];
  for (const { type, target } of (await readRelationships(zip, '')).values()) {
    if (type === 'officeDocument') candidates.push(target);
  }
  for (const entry of elements(await readXml(zip, '[Content_Types].xml'))) {
    const type = entry.attributes.get('ContentType') ?? '';
    if (/(wordprocessingml|ms-word)\S*\.main\+xml$/.test(type)) {
      candidates.push((entry.attributes.get('PartName') ?? '').replace(/^\//, ''));
    }
  }
  candidates.push('word/document.xml');
  const name = candidates.find((candidate) => zip.names.has(candidate));
  if (name === undefined) throw notWord();
  return name;
}

/**
 * Opens a .docx and parses its main part.
 *
 * @throws ConversionError `corrupt_file`, `encrypted_file`, `zip_bomb` or `wrong_content`
 */
export async function openDocx(bytes: Uint8Array): Promise<DocxPackage> {
  const zip = await openZip(bytes);
  const part = async (name: string): Promise<DocxPart | undefined> => {
    const root = await readXml(zip, name);
    return root && { root, relationships: await readRelationships(zip, name) };
  };
  const mainName = await findMain(zip);
  const main = await part(mainName);
  if (main === undefined || main.root.name !== 'w:document' || child(main.root, 'w:body') === undefined)
    throw notWord();
  const allRelated = async (type: string): Promise<DocxPart[]> => {
    const targets = [...main.relationships.values()].filter(
      (entry) => entry.type === type && !entry.external,
    );
    const found: DocxPart[] = [];
    for (const { target } of targets) {
      const read = await part(target);
      if (read !== undefined) found.push(read);
    }
    return found;
  };
  return {
    main,
    part,
    allRelated,
    async related(type) {
      return (await allRelated(type))[0] ?? (await part(`${folderOf(mainName)}${type}.xml`));
    },
  };
}
