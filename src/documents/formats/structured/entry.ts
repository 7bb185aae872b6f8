/** A value of a structured text with the key it stands under: what JSON and YAML are both read into. */
export interface Entry {
  /** Its key; null for an element of an array and for a document. */
  key: string | null;
  /** Range of key and value. */
  start: number;
  end: number;
  /** Of a scalar: its text, decoded. */
  text: string;
  /** A scalar without quotes, which may be a number, a boolean or null. */
  plain: boolean;
  /** Of an object or an array: what is in it. */
  collection: Collection | null;
}

/** An object or an array, as far as it has been read. */
export interface Collection {
  isObject: boolean;
  /** Index in its array. */
  index: number;
  /** Whether it can become a node itself, so that what is in it can. */
  isKept: boolean;
  /** How many members or elements it has, and how many of these are objects or arrays. */
  count: number;
  objects: number;
  arrays: number;
  /** The first keys of an object, the first scalars of an array. */
  preview: string[];
  /** The first object of an array. */
  firstObject: Collection | null;
  /** What tells it from its neighbours (empty when nothing does), and how well: 0 is best. */
  title: string;
  titleRank: number;
  /** `kind` and `metadata.name` of a Kubernetes object. */
  kind: string;
  metadataName: string;
  /** The members and elements that can become nodes. */
  entries: Entry[];
}

/** An object or an array in which nothing has been read yet. */
export function newCollection(isObject: boolean, index: number): Collection {
  return {
    isObject,
    index,
    isKept: true,
    count: 0,
    objects: 0,
    arrays: 0,
    preview: [],
    firstObject: null,
    title: '',
    titleRank: Infinity,
    kind: '',
    metadataName: '',
    entries: [],
  };
}
